import { bindingSources, payOrder } from '#src/areas/binding/binding.ts'
import { yuan } from '#src/domain/money.ts'
import { colon } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { guideCustomers as calls } from '../contract/guideCustomers.ts'

/** The guide's binding beside the expert's, and whom the customer's next order pays. */
export const Compare = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.compare, { id })
  return (
    <Section title={say(['争议绑定', 'Disputed bindings'])}>
      <Answer of={read}>
        {({ guide, expert, store }) => {
          const sides = [guide, expert]
          const paid = [guide?.seller, expert?.seller, store]
          return (
            <>
              <SmallTable
                head={[
                  ['项目', 'Item'],
                  ['导购', 'Guide'],
                  ['达人', 'Expert'],
                ]}
                rows={
                  [
                    [['分销员', 'Seller'], sides.map(one => one?.seller)],
                    [['来源', 'Source'], sides.map(one => one && say(bindingSources[one.source]))],
                    [
                      ['绑定时间', 'Bound'],
                      sides.map(one => one && <When key={one.id} at={one.bind_at} />),
                    ],
                    [['订单', 'Orders'], sides.map(one => one && String(one.order_count))],
                    [['累计支付', 'Paid'], sides.map(one => one && `¥${yuan(one.paid_cents)}`)],
                  ] as const
                }
                keyOf={([label]) => label[0]}
                cells={([label, cells]) => [say(label), cells[0] ?? '—', cells[1] ?? '—']}
              />
              <h4>
                {say(['一笔订单只付一位，按此顺序', 'An order pays one seller, in this order'])}
              </h4>
              <ol className="d-order">
                {payOrder.map((rule, at) => (
                  <li key={rule[0]}>
                    {say(rule)}
                    {say(colon)}
                    <b>{paid[at] || say(['无', 'nobody'])}</b>
                  </li>
                ))}
              </ol>
            </>
          )
        }}
      </Answer>
    </Section>
  )
}
