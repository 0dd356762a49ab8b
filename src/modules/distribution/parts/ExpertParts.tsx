import { commissionStates } from '#src/areas/commission/commission.ts'
import { adjustStates, levels } from '#src/areas/distribution/sellers.ts'
import { withdrawalStates } from '#src/areas/payout/withdrawing.ts'
import type { Result } from '#src/contract/call.ts'
import { dateOf } from '#src/domain/time.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Alarming, Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { expertDetail } from '../contract/expertDetail.ts'
import type { SellerRow } from '../contract/index.ts'
import { SellerFacts, SellerMoney } from './SellerDetail.tsx'

type Detail = Result<(typeof expertDetail)['detail']>
type Props = { of: Detail }

/** An adjustment that waits for a second person, before all else. */
export const Waiting = ({ row: { adjust } }: { row: SellerRow }) => {
  const say = useSay()
  if (!adjust) return null
  return (
    <Section title={say(['待复核的佣金调整', 'Adjustment awaiting approval'])}>
      <Facts>
        <Fact label={say(['金额', 'Amount'])}>
          <Money cents={adjust.amount_cents} sign />
        </Fact>
        <Fact label={say(['提交人', 'Submitted by'])}>{adjust.maker}</Fact>
        <Fact wide label={say(['原因', 'Why'])}>
          {adjust.reason}
        </Fact>
      </Facts>
    </Section>
  )
}
/** Tells who the seller is, and whether their papers were seen. */
export const Identity = ({ of: { row, id_no, member_name } }: Props) => {
  const say = useSay()
  return (
    <>
      <SellerFacts row={row} />
      <Section title={say(['身份核验', 'Identity'])}>
        <Facts>
          <Fact label={say(['会员', 'Member'])}>{member_name || '—'}</Fact>
          <Fact wide label={say(['证件号', 'ID number'])}>
            <span className="m-num">{id_no || say(['未登记', 'Not on record'])}</span>
          </Fact>
        </Facts>
      </Section>
    </>
  )
}
/** How the balance comes about: what was settled and adjusted, less what was paid out. */
const Equation = ({ of: { row, states, adjusted_cents } }: Props) => {
  const say = useSay()
  const all = states
    .filter(one => one.status === 'settled' || one.status === 'clawed_back')
    .reduce((sum, one) => sum + one.sum_cents, 0)
  const expected = all - row.withdrawn_cents - row.withdrawing_cents
  const has = row.balance_cents - row.debt_cents
  return (
    <Facts>
      <Fact label={say(['已结算净额', 'Settled, net'])}>
        <Money cents={all - adjusted_cents} sign />
      </Fact>
      <Fact label={say(['加：调整', 'Plus adjustments'])}>
        <Money cents={adjusted_cents} sign />
      </Fact>
      <Fact label={say(['减：提现', 'Less paid out'])}>
        <Money cents={row.withdrawn_cents + row.withdrawing_cents} sign />
      </Fact>
      <Fact label={say(['账面余额', 'Book balance'])}>
        <Money cents={has} sign />{' '}
        {expected !== has && (
          <Badge tone="bad">{say(['与明细不符', 'Doesn’t match its lines'])}</Badge>
        )}
      </Fact>
    </Facts>
  )
}
/** A seller's money: where it is, how it came about, and what was paid out and adjusted. */
export const Account = ({ of }: Props) => {
  const say = useSay()
  const { row, states, withdrawals, adjustments } = of
  return (
    <>
      <SellerMoney row={row} />
      <Section title={say(['佣金按状态', 'Commission by state'])}>
        {states.length === 0 ? (
          <p className="m-muted">{say(['还没有佣金', 'No commission yet'])}</p>
        ) : (
          <SmallTable
            head={[
              ['状态', 'State'],
              ['笔数', 'Lines'],
              ['金额', 'Amount'],
            ]}
            rows={states}
            keyOf={one => one.status}
            cells={one => [
              say(commissionStates[one.status]),
              one.count,
              <Money key="sum" cents={one.sum_cents} />,
            ]}
          />
        )}
        <Equation of={of} />
      </Section>
      {withdrawals.length > 0 && (
        <Section title={say(['最近提现', 'Last withdrawals'])}>
          <SmallTable
            head={[
              ['提现单', 'Number'],
              ['金额', 'Amount'],
              ['状态', 'State'],
              ['申请时间', 'Requested'],
            ]}
            rows={withdrawals}
            keyOf={one => one.id}
            cells={one => [
              one.no,
              <Money key="sum" cents={one.amount_cents} />,
              say(withdrawalStates[one.status]),
              <When key="at" at={one.applied_at} />,
            ]}
          />
        </Section>
      )}
      {adjustments.length > 0 && (
        <Section title={say(['最近调整', 'Last adjustments'])}>
          <SmallTable
            head={[
              ['时间', 'When'],
              ['金额', 'Amount'],
              ['状态', 'State'],
              ['原因', 'Why'],
            ]}
            rows={adjustments}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.created_at} />,
              <Money key="sum" cents={one.amount_cents} />,
              say(adjustStates[one.state]),
              one.reason,
            ]}
          />
        </Section>
      )}
    </>
  )
}
const Sign = ({ n }: { n: number }) => (n > 0 ? <Alarming>{n}</Alarming> : '0')
/** What hints at somebody who buys from themselves, in ninety days. */
export const RiskSigns = ({ of: { risks } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['风险信号（90 天）', 'Risk signals (90 days)'])}>
      <Facts>
        <Fact label={say(['本人下单（不计佣）', 'Own orders (no commission)'])}>
          {risks.own_orders}
        </Fact>
        <Fact label={say(['同设备其他买家', 'Others on its device'])}>
          <Sign n={risks.same_device} />
        </Fact>
        <Fact label={say(['风控命中', 'Risk rule hits'])}>
          <Sign n={risks.hits} />
        </Fact>
        <Fact label={say(['结算后退款', 'Refunded after settling'])}>
          <Sign n={risks.back_after_settling} />
        </Fact>
      </Facts>
    </Section>
  )
}
const levelWord = (no: number | null) => levels[no ?? 0] ?? (['—', '—'] as const)
/** Which teams and levels a seller had, the newest first. */
export const Career = ({ of: { periods, levels: changes } }: Props) => {
  const say = useSay()
  return (
    <Section title={say(['等级与团队经历', 'Levels and teams'])}>
      {periods.length + changes.length === 0 && (
        <p className="m-muted">
          {say(['没有团队经历，等级未调整过', 'No team history and no level changes'])}
        </p>
      )}
      {changes.length > 0 && (
        <SmallTable
          head={[
            ['时间', 'When'],
            ['等级', 'Level'],
            ['操作人', 'By'],
            ['原因', 'Why'],
          ]}
          rows={changes}
          keyOf={one => one.id}
          cells={one => [
            <When key="at" at={one.at} />,
            `${say(levelWord(one.before))} → ${say(levelWord(one.after))}`,
            one.by,
            one.reason || '—',
          ]}
        />
      )}
      {periods.length > 0 && (
        <SmallTable
          head={[
            ['团队', 'Team'],
            ['身份', 'Role'],
            ['期间', 'Period'],
            ['原因', 'Why'],
          ]}
          rows={periods}
          keyOf={one => one.id}
          cells={one => [
            one.group_name,
            one.is_leader ? say(['团长', 'Leader']) : say(['成员', 'Member']),
            one.end_at === null ? (
              say(['{day} 至今', 'Since {day}'], { day: dateOf(one.start_at) })
            ) : (
              <Span key="span" from={one.start_at} to={one.end_at} />
            ),
            one.reason || '—',
          ]}
        />
      )}
    </Section>
  )
}
