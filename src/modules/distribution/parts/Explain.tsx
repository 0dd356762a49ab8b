import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { moneyJournal } from '#commands/pages/settle.ts'
import { bindingRoles, bindingSources } from '#src/areas/binding/binding.ts'
import { CEILING_BP, type CommissionRole } from '#src/areas/commission/commission.ts'
import { businesses } from '#src/areas/ledger/ledger.ts'
import type { Result } from '#src/contract/call.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { dateOf } from '#src/domain/time.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { useRead } from '#src/kit/data.ts'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { commissionDetails as calls, type CommissionRow } from '../contract/settlementDetails.ts'

type Told = Result<typeof calls.explain>
/** Whose rate it is, but for direct sales, where parts add up. */
const whose: Partial<Record<CommissionRole, Text>> = {
  leader: ['团长奖励', 'leader'],
  guide: ['导购奖励', 'guide'],
  store: ['分销门店', 'store'],
}
/** The rate in its parts: of the goods, of the seller's level, of their own. */
const rateText = (of: Told, role: CommissionRole): Text => {
  if (of.goods_bp === undefined) return ['—', '—']
  const [zh, en] = whose[role] ?? ['商品', 'product']
  const more = [
    of.level_bp
      ? ([`等级加成 ${percent(of.level_bp)}`, `level ${percent(of.level_bp)}`] as const)
      : [],
    of.plus_bp ? ([`个人加成 ${percent(of.plus_bp)}`, `own ${percent(of.plus_bp)}`] as const) : [],
  ].filter(one => one.length > 0)
  return [
    [`${zh} ${percent(of.goods_bp)}`, ...more.map(one => one[0])].join(' + '),
    [`${en} ${percent(of.goods_bp)}`, ...more.map(one => one[1])].join(' + '),
  ]
}
/** The formula with its numbers. */
const formula = (row: CommissionRow, of: Told): Text => {
  if (row.order === null) return ['人工发放，没有公式', 'Given by hand: there is no formula']
  const full = yuan(of.uncut_cents ?? of.amount_cents)
  if (of.fixed_cents !== null)
    return [`固定金额 ¥${yuan(of.fixed_cents)}`, `A fixed amount of ¥${yuan(of.fixed_cents)}`]
  const rate = row.commission_bp === undefined ? '—' : percent(row.commission_bp)
  return [
    `¥${yuan(of.base_cents)} × ${rate} = ¥${full}（四舍五入到分）`,
    `¥${yuan(of.base_cents)} × ${rate} = ¥${full}, rounded to the cent`,
  ]
}
/** How it was taken back: in the proportion of what its buyer had back. */
const reversal = (of: Told): Text =>
  of.refunded_cents > 0
    ? [
        `买家实付 ¥${yuan(of.user_cents)}，已退 ¥${yuan(of.refunded_cents)}；按比例累计扣回，全退则全扣`,
        `¥${yuan(of.refunded_cents)} of ¥${yuan(of.user_cents)} were refunded: taken back in proportion`,
      ]
    : ['人工取消或追回', 'Cancelled or clawed back by hand']

const Entries = ({ of, row }: { of: Told; row: CommissionRow }) => {
  const say = useSay()
  const { me } = useWorkbench()
  const linked = row.order !== null && me.can(moneyJournal.permit)
  return (
    <Section title={say(['记账', 'Postings'])}>
      {of.entries.length === 0 ? (
        <p className="m-muted">
          {say(['核销或收货后才记账', 'Nothing is posted before its unit is used'])}
        </p>
      ) : (
        <SmallTable
          head={[
            ['时间', 'At'],
            ['业务', 'Business'],
            ['科目', 'Account'],
            ['金额', 'Amount'],
          ]}
          rows={of.entries}
          keyOf={one => one.id}
          cells={one => [
            <When key="at" at={one.at} />,
            me.can(moneyJournal.permit) ? (
              <Link key="biz" href={to(moneyJournal, { no: one.no })} title={one.no}>
                {say(businesses[one.biz])}
              </Link>
            ) : (
              say(businesses[one.biz])
            ),
            one.account,
            <Money key="sum" cents={one.amount_cents} />,
          ]}
        />
      )}
      {linked && (
        <p>
          <Link href={to(moneyJournal, { view: 'trace', order_no: row.order!.order_no })}>
            {say(['在资金流水中追踪该订单', 'Follow the money of its order'])}
          </Link>
        </p>
      )}
    </Section>
  )
}
/** How a commission came to its amount, what took of it, and where its money is. */
export const Explain = ({ row }: { row: CommissionRow }) => {
  const say = useSay()
  const read = useRead(calls.explain, { id: row.id })
  return (
    <Answer of={read} lines={8}>
      {of => (
        <>
          <Section title={say(['计算过程', 'How it is calculated'])}>
            <Facts>
              <Fact wide label={say(['公式', 'Formula'])}>
                <span className="m-num">{say(formula(row, of))}</span>
              </Fact>
              {of.fixed_cents === null && row.order !== null && (
                <Fact wide label={say(['比例组成', 'Rate breakdown'])}>
                  {say(rateText(of, row.role))}
                </Fact>
              )}
              {of.uncut_cents !== null && (
                <Fact wide label={say(['削减', 'Cut'])}>
                  {say([
                    `¥${yuan(of.uncut_cents)} 超出可分配毛利或实付 ${percent(CEILING_BP)} 的上限，按最大余额法减为 ¥${yuan(of.amount_cents)}`,
                    `¥${yuan(of.uncut_cents)} was beyond the margin or ${percent(CEILING_BP)} of what was paid: cut to ¥${yuan(of.amount_cents)}`,
                  ])}
                </Fact>
              )}
              {of.reversed_cents > 0 && (
                <Fact wide label={say(['扣回', 'Taken back'])}>
                  ¥{yuan(of.reversed_cents)}　{say(reversal(of))}
                </Fact>
              )}
              <Fact wide label={say(['承担方', 'Borne by'])}>
                {say(
                  of.bearer === 'merchant'
                    ? [
                        '商户承担（门店导购奖励），从商户所得中扣',
                        'The merchant, deducted from its income',
                      ]
                    : ['平台承担，从平台佣金中支出', 'The platform, from its commission'],
                )}
              </Fact>
              {of.binding && (
                <Fact wide label={say(['归属依据', 'Attribution'])}>
                  {say([
                    `${dateOf(of.binding.bind_at)} 经${bindingSources[of.binding.source as 'link'][0]}绑定${bindingRoles[of.binding.role as 'expert'][0]}，绑定号 ${of.binding.id}`,
                    `Bound on ${dateOf(of.binding.bind_at)}: ${bindingSources[of.binding.source as 'link'][1]}, binding ${of.binding.id}`,
                  ])}
                </Fact>
              )}
            </Facts>
          </Section>
          <Entries of={of} row={row} />
        </>
      )}
    </Answer>
  )
}
