import type { ReactNode } from 'react'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { VerifyRow } from '../contract/verify.ts'
import { MoneyLine } from './MoneyLine.tsx'
import { Flags, Role, Way } from './verifyColumns.tsx'

const Redemption = ({ of }: { of: VerifyRow }) => {
  const say = useSay()
  return (
    <Section title={say(['核销', 'Redemption'])}>
      <Facts>
        <Fact label={say(['订单', 'Order'])}>
          <span className="m-num">{of.order_no}</span>
        </Fact>
        <Fact label={say(['券码', 'Code'])}>
          <span className="m-num">{of.code ?? '—'}</span>
        </Fact>
        <Fact wide label={say(['门店', 'Store'])}>
          {of.store_name} · {of.merchant_name} · {of.city_name}
        </Fact>
        <Fact label={say(['核销', 'By'])}>
          <Way row={of} /> {of.by}
        </Fact>
        <Fact label={say(['次数', 'Uses'])}>{of.times}</Fact>
        <Fact label={say(['核销时间', 'Redeemed'])}>
          <When at={of.verified_at} />
        </Fact>
        <Fact label={say(['冻结期至', 'On hold until'])}>
          <When at={of.hold_until} />
        </Fact>
        {of.reversed_at !== null && (
          <>
            <Fact label={say(['撤销时间', 'Reversed'])}>
              <When at={of.reversed_at} />
            </Fact>
            <Fact label={say(['撤销人', 'By'])}>{of.reversed_by ?? say(['商户', 'Merchant'])}</Fact>
            <Fact wide label={say(['撤销原因', 'Why'])}>
              {of.reverse_reason}
            </Fact>
          </>
        )}
        {of.flags.length > 0 && (
          <Fact wide label={say(['提示', 'Flags'])}>
            <Flags row={of} />
            {of.abnormal_reason && <> {of.abnormal_reason}</>}
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
const SharedMoney = ({ of }: { of: VerifyRow }) => {
  const say = useSay()
  return (
    <Section title={say(['金额', 'Money'])}>
      <dl className="o-money">
        <MoneyLine label={say(['实付分摊', 'Share'])} cents={of.pay_cents} />
        <MoneyLine label={say(['平台分摊', 'Platform share'])} cents={of.platform_cents} />
        {of.commission_cents !== undefined && (
          <MoneyLine label={say(['佣金', 'Commission'])} cents={-of.commission_cents} />
        )}
        <div data-sum="sum">
          <dt>{say(['结算', 'Settled'])}</dt>
          <dd>
            <Money cents={of.settle_cents} />
          </dd>
        </div>
      </dl>
    </Section>
  )
}
const GroupFacts = ({ row }: { row: VerifyRow }) => {
  const say = useSay()
  if (!row.group) return null
  return (
    <Section title={say(['拼团', 'Group'])}>
      <Facts>
        <Fact label={say(['团号', 'Group'])}>
          <span className="m-num">{row.group.no}</span>
        </Fact>
        <Fact label={say(['身份', 'Seat'])}>
          <Role row={row} />
        </Fact>
        <Fact label={say(['成团价', 'Group price'])}>
          <Money cents={row.group.price_cents} sign />
        </Fact>
        <Fact label={say(['单买价', 'Solo price'])}>
          <Money cents={row.group.single_cents} sign />
        </Fact>
      </Facts>
    </Section>
  )
}
const BillFacts = ({ of }: { of: NonNullable<VerifyRow['bill']> }) => {
  const say = useSay()
  return (
    <Section title={say(['账单', 'Bill'])}>
      <Facts>
        <Fact label={say(['账单号', 'Bill no.'])}>
          <span className="m-num">{of.no ?? '—'}</span>
        </Fact>
        <Fact label={say(['账单金额', 'Amount'])}>
          <Money cents={of.cents} sign />
        </Fact>
        <Fact label={say(['用券', 'Vouchers'])}>
          {of.vouchers}
          {of.limit !== null && say(['（每单限 {n}）', ' (at most {n})'], { n: of.limit })}
        </Fact>
        <Fact label={say(['面值合计', 'Total face value'])}>
          <Money cents={of.face_cents} sign />
        </Fact>
      </Facts>
    </Section>
  )
}
/** All about one redemption, beside the list. */
export const VerifyDetail = ({ row, children }: { row: VerifyRow; children?: ReactNode }) => (
  <>
    <Redemption of={row} />
    <SharedMoney of={row} />
    <GroupFacts row={row} />
    {row.bill && <BillFacts of={row.bill} />}
    {children}
  </>
)
