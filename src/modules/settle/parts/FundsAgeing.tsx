import { useMemo } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { moneyJournal } from '#commands/pages/settle.ts'
import { ages } from '#src/areas/funds/figures.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Chart } from '#src/kit/chart.tsx'
import { useRead } from '#src/kit/data.ts'
import { Money, Section, shortYuan, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { funds as calls } from '../contract/data.ts'
import { flow } from '../contract/flow.ts'

/** The journal of a merchant’s debt, for whoever may read it. */
const Debtor = ({ id, name }: { id: number; name: string }) => {
  const { me } = useWorkbench()
  return me.can(flow.lst.permit) ? (
    <Link href={to(moneyJournal, { kind: 'merchant_debt', owner_kind: 'merchant', owner_id: id })}>
      {name}
    </Link>
  ) : (
    name
  )
}
/** How long paid money waits, and the merchants that owe. */
export const FundsAgeing = () => {
  const say = useSay()
  const read = useRead(calls.ageing, {})
  const told = read.data?.ages
  const categories = useMemo(() => (told ?? []).map(one => say(ages[one.key].title)), [told, say])
  const series = useMemo(
    () => [
      {
        name: say(['未结算金额', 'Not settled']),
        kind: 'bar' as const,
        values: (told ?? []).map(one => one.amount_cents / 100),
      },
    ],
    [told, say],
  )
  return (
    <div className="st-ageing">
      <Answer of={read} lines={12}>
        {of => (
          <>
            <Section
              title={say(['未结算账龄（自付款起）', 'Not settled, by days since it was paid'])}
            >
              <Chart
                label={say(['未结算账龄（元）', 'Not settled by age, yuan'])}
                categories={categories}
                series={series}
                axis={value => shortYuan(value * 100, say)}
                height={200}
              />
              <SmallTable
                head={[
                  ['账龄', 'Age'],
                  ['金额', 'Amount'],
                  ['单位数', 'Units'],
                  ['最早付款', 'Paid first'],
                ]}
                rows={of.ages}
                keyOf={one => one.key}
                cells={one => [
                  say(ages[one.key].title),
                  <Money key="amount" cents={one.amount_cents} />,
                  <span key="n" className="m-num">
                    {one.count}
                  </span>,
                  <When key="at" at={one.oldest_at} />,
                ]}
              />
            </Section>
            <Section
              title={say(['欠款商户 {n} 家', '{n} merchants owe'], { n: of.debtors.length })}
              aside={
                <Money cents={of.debtors.reduce((sum, one) => sum + one.owes_cents, 0)} sign />
              }
            >
              {of.debtors.length === 0 ? (
                <p className="m-muted">{say(['没有商户欠款', 'Nobody owes'])}</p>
              ) : (
                <SmallTable
                  head={[
                    ['商户', 'Merchant'],
                    ['欠款', 'Owes'],
                    ['最近变动', 'Moved last'],
                  ]}
                  rows={of.debtors}
                  keyOf={one => one.id}
                  cells={one => [
                    <Debtor key="name" id={one.id} name={one.name} />,
                    <Money key="owes" cents={one.owes_cents} />,
                    <When key="since" at={one.since} />,
                  ]}
                />
              )}
            </Section>
          </>
        )}
      </Answer>
    </div>
  )
}
