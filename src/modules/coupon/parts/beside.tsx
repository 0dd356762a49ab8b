import { Lock } from '@blueprintjs/icons'
import { useMemo, type ReactNode } from 'react'
import { Link } from 'wouter'
import type { CouponScope } from '#src/areas/coupon/coupon.ts'
import { lockedField, openFields } from '#src/areas/coupon/couponRules.ts'
import {
  couponOffer,
  couponReach,
  couponSentence,
  couponValid,
  maxCost,
} from '#src/areas/coupon/couponSentence.ts'
import { couponClaims } from '#src/areas/coupon/couponWords.ts'
import { logged } from '#src/areas/coupon/words.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { aside, comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead } from '#src/kit/data.ts'
import { TrialLines } from '#src/kit/order-trial.tsx'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { callsIn, type CouponWhole } from '../contract/coupon.ts'
import { draftOf, writtenOf, type CouponAnswers } from './written.ts'
import './coupon.css'

/** Where parts of the side stand, for the keys that lead to them. */
export const partIds = { cost: 'cp-cost', phone: 'cp-phone' } as const
export const showPart = (id: string): void => {
  const part = document.getElementById(id)
  part?.scrollIntoView({ block: 'nearest' })
  part?.focus()
}
const Part = ({ id, children }: { id: string; children: ReactNode }) => (
  <div id={id} tabIndex={-1}>
    {children}
  </div>
)

const NAMELESS: Text = ['新优惠券', 'New coupon']
/** The trial on a real order, asked for again as the coupon is written. */
const Example = ({ scope, answers, order_id }: BesideOf) => {
  const say = useSay()
  const asked = useMemo(() => {
    const written = writtenOf(answers)
    const name = [...written.name].length < 2 ? say(NAMELESS) : written.name
    return { ...written, name, ...(order_id !== undefined && { order_id }) }
  }, [answers, order_id, say])
  const [rested] = useRested(asked)
  const trial = useRead(callsIn(scope).simulate, rested)
  return (
    <Section title={say(['真实订单试算', 'Real order trial'])}>
      <Answer of={trial} lines={4}>
        {of => <TrialLines of={of} />}
      </Answer>
    </Section>
  )
}
/** The coupon as members see it. */
const Phone = ({ scope, answers }: Omit<BesideOf, 'order_id'>) => {
  const say = useSay()
  const of = draftOf(scope, answers)
  return (
    <Part id={partIds.phone}>
      <Section title={say(['手机预览', 'App preview'])}>
        <div className="cp-card">
          <b>{say(couponOffer(of))}</b>
          <span>{of.name || say(NAMELESS)}</span>
          <span>{say(couponReach(of))}</span>
          <span>{say(couponValid(of))}</span>
          {of.recommend_text && <i>{of.recommend_text}</i>}
        </div>
      </Section>
    </Part>
  )
}
type BesideOf = {
  scope: CouponScope
  answers: CouponAnswers
  /** The order it is tried on; the latest that it fits, where none is named. */
  order_id: number | undefined
}
/** The figures of the terms, live while they are written. */
export const Beside = (of: BesideOf) => {
  const say = useSay()
  const draft = draftOf(of.scope, of.answers)
  const cost = maxCost(draft)
  const budget = of.answers.budget_cents
  return (
    <>
      <Section title={say(['一句话条款', 'Summary'])}>
        <p className="cp-sentence" role="status">
          {say(couponSentence(draft))}
        </p>
      </Section>
      <Part id={partIds.cost}>
        <Section title={say(['最大成本', 'Maximum cost'])}>
          <Facts>
            <Fact label={say(['合计', 'Total'])}>
              <Money cents={cost.total_cents} sign />
            </Fact>
            <Fact label={say(['预算', 'Budget'])}>
              {budget === undefined ? '—' : <Money cents={budget} sign />}
            </Fact>
            <Fact label={say(['平台', 'Platform'])}>
              <Money cents={cost.platform_cents} sign />
            </Fact>
            <Fact label={say(['商户', 'Merchant'])}>
              <Money cents={cost.merchant_cents} sign />
            </Fact>
          </Facts>
          {budget !== undefined && budget < cost.total_cents && (
            <p>
              <Badge tone="warn">{say(['预算不足', 'Over budget'])}</Badge>
            </p>
          )}
        </Section>
      </Part>
      <Example {...of} />
      <Phone {...of} />
    </>
  )
}

/** The rows that a coupon is for which are gone, before it is copied or submitted. */
export const Dead = ({ of }: { of: CouponWhole['dead'] }) => {
  const say = useSay()
  if (of.length === 0) return null
  return (
    <p className="m-error" role="alert">
      {say([
        '以下适用对象已失效，提交前须移除或更换：',
        'No longer valid, remove or replace before submitting: ',
      ])}
      {of.map(one => `${one.name}${say(aside, { it: one.why })}`).join(say(comma))}
    </p>
  )
}

const locked = (of: CouponWhole): readonly (readonly [Text, Text])[] => {
  const both = (value: string): Text => [value, value]
  return [
    [['券名称', 'Name'], both(of.name)],
    [['优惠', 'Offer'], couponOffer(of)],
    [['适用范围', 'Scope'], couponReach(of)],
    [['领取方式', 'Claim method'], couponClaims[of.claim_kind]],
    [['领取开始', 'Claim from'], both(timeFull(of.claim_start_at))],
    [['有效期', 'Validity'], couponValid(of)],
    [['平台承担', 'Paid by platform'], both(percent(of.platform_share_bp))],
    [['与其他优惠同享', 'Combinable'], of.stackable ? ['可以', 'Yes'] : ['不可以', 'No']],
    [['预算', 'Budget'], both(of.budget_cents === null ? '—' : `¥${yuan(of.budget_cents)}`)],
  ]
}
/** The terms that an approval holds fast: why, beside each of them, and the way to other ones. */
export const Locked = ({ of, copy }: { of: CouponWhole; copy: string }) => {
  const say = useSay()
  const why = say(lockedField)
  return (
    <Section
      title={say(['已锁定', 'Locked'])}
      aside={<Link href={copy}>{say(['改为复制新券', 'Copy to a new one'])}</Link>}
    >
      <p className="m-muted">{why}</p>
      <Facts>
        {locked(of).map(([label, value]) => (
          <Fact key={label[0]} wide label={say(label)}>
            <span className="cp-locked" title={why}>
              <Lock size={12} tagName={null} aria-hidden />
              {say(value)}
            </span>
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
const shownAs = (field: (typeof openFields)[number], value: string | number): ReactNode =>
  field === 'claim_end_at' ? <When at={value as number} /> : value || '—'
/** The terms that are otherwise than when it was approved. */
export const Changed = ({ of }: { of: CouponWhole }) => {
  const say = useSay()
  const { approved } = of
  const fields = approved ? openFields.filter(field => approved[field] !== of[field]) : []
  if (!approved || fields.length === 0) return null
  return (
    <Section title={say(['与审核版本的差异', 'Changes since approval'])}>
      <Facts>
        {fields.map(field => (
          <Fact key={field} wide label={say(logged['coupon']!.fields[field]!.title)}>
            {shownAs(field, approved[field])} → {shownAs(field, of[field])}
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
