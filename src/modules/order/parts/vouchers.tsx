import { weekdays } from '#src/areas/code/voucher.ts'
import { grouped } from '#src/domain/grouped.ts'
import { comma } from '#src/domain/text.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OrderDetail } from '../contract/shared.ts'

/** What the vouchers were sold under, as the order keeps it. */
export const VoucherRules = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  return (
    <>
      {of.items
        .flatMap(item => (item.voucher ? [{ item, rule: item.voucher }] : []))
        .map(({ item, rule }) => (
          <Section key={item.id} title={say(['用券规则（购买时）', 'Rules at purchase'])}>
            <Facts>
              <Fact label={say(['面值', 'Face'])}>
                <Money cents={rule.face_cents} sign />
              </Fact>
              <Fact label={say(['最低消费', 'Minimum spend'])}>
                {rule.min_spend_cents ? (
                  <Money cents={rule.min_spend_cents} sign />
                ) : (
                  say(['无门槛', 'None'])
                )}
              </Fact>
              <Fact label={say(['每单限用', 'Per bill'])}>
                {rule.per_bill_limit === null
                  ? say(['不限', 'Any'])
                  : say(['{n} 张', '{n}'], { n: rule.per_bill_limit })}
              </Fact>
              <Fact label={say(['可用时间', 'Hours'])}>
                {rule.use_time || say(['营业时间', 'Opening hours'])}
              </Fact>
              <Fact wide label={say(['不可用', 'Not on'])}>
                {[
                  ...rule.exclude_weekdays.map(day => say(weekdays[day - 1]!)),
                  ...rule.unavailable_dates,
                ].join(say(comma)) || say(['无', 'None'])}
              </Fact>
            </Facts>
          </Section>
        ))}
    </>
  )
}
/**
 * The bills that vouchers of the order were used for: how many on each, their face, and what is
 * settled of them.
 */
export const Bills = ({ of }: { of: OrderDetail }) => {
  const say = useSay()
  const face = new Map(
    of.codes.map(code => [
      code.id,
      of.items.find(item => item.id === code.item_id)?.voucher?.face_cents ?? 0,
    ]),
  )
  const bills = [
    ...grouped(
      of.uses.filter(use => use.state === 'valid' && use.bill_cents !== null),
      use => `${use.store_name}|${use.bill_no ?? use.id}`,
    ).values(),
  ]
  if (bills.length === 0) return null
  const sum = (uses: (typeof bills)[number], cents: (use: (typeof uses)[number]) => number) =>
    uses.reduce((all, use) => all + cents(use), 0)
  return (
    <Section title={say(['账单', 'Bills'])}>
      <table className="o-table">
        <thead>
          <tr>
            <th>{say(['账单号', 'Bill no.'])}</th>
            <th>{say(['门店', 'Store'])}</th>
            <th>{say(['时间', 'When'])}</th>
            <th className="o-right">{say(['用券', 'Vouchers'])}</th>
            <th className="o-right">{say(['面值合计', 'Total face value'])}</th>
            <th className="o-right">{say(['账单', 'Bill'])}</th>
            <th className="o-right">{say(['结算', 'Settled'])}</th>
          </tr>
        </thead>
        <tbody>
          {bills.map(uses => {
            const [first] = uses
            const faces = sum(uses, use => face.get(use.code_id) ?? 0)
            return (
              <tr key={first!.id}>
                <td className="m-num">{first!.bill_no ?? '—'}</td>
                <td>{first!.store_name}</td>
                <td>
                  <When at={first!.verified_at} />
                </td>
                <td className="o-right m-num">{uses.length}</td>
                <td className="o-right">
                  <Money cents={faces} />
                </td>
                <td className="o-right">
                  <Money cents={first!.bill_cents} />{' '}
                  {first!.bill_cents! < faces && (
                    <Badge tone="plain">{say(['低于面值，不找零', 'Below face: no change'])}</Badge>
                  )}
                  {first!.bill_cents === faces && (
                    <Badge tone="warn">{say(['等于面值', 'Equals face'])}</Badge>
                  )}
                </td>
                <td className="o-right">
                  <Money
                    cents={
                      uses.some(use => use.settle_cents === undefined)
                        ? undefined
                        : sum(uses, use => use.settle_cents ?? 0)
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </Section>
  )
}
