import type { ReactNode } from 'react'
import {
  auditedFields,
  auditedWord,
  termsChanged,
  type AuditedField,
} from '#src/areas/coupon/couponAudit.ts'
import {
  couponRefuseCodes,
  couponRuleText,
  couponSteps,
} from '#src/areas/coupon/couponAuditRules.ts'
import { couponSentence } from '#src/areas/coupon/couponSentence.ts'
import { couponKinds } from '#src/areas/mall/recommend.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { Badge, Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { FactChange, Findings, Rounds, SubmissionFrame } from '#src/kit/submission.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CouponAuditDetail } from '../contract/audit.ts'
import { AllGoods, Beside, Cart, Examples, Worst, type GoodsCall } from './auditGoods.tsx'

type Say = ReturnType<typeof useSay>
type Of = { of: CouponAuditDetail }
/** The most that it can cost beside what it may, and how much it is for. */
const Exposure = ({ of }: Of) => {
  const say = useSay()
  const { task, budget, size, limit_cents } = of
  const left = budget.month_cents - budget.promised_cents
  return (
    <Section title={say(['成本与预算', 'Cost and budget'])}>
      <Facts>
        <Fact label={say(['最大成本', 'Maximum cost'])}>
          <Money cents={task.exposure_cents} sign />{' '}
          {task.exposure_cents >= limit_cents && (
            <Badge tone="warn">{say(['须财务复审', 'Needs finance'])}</Badge>
          )}
        </Fact>
        <Fact label={say(['券预算', 'Budget'])}>
          {task.terms.budget_cents === null ? (
            say(['未设置', 'None'])
          ) : (
            <Money cents={task.terms.budget_cents} sign />
          )}
        </Fact>
        <Fact label={say(['平台承担', 'Paid by platform'])}>
          <Money cents={budget.platform_cents} sign />
        </Fact>
        <Fact label={say(['本月预算剩余', 'Left this month'])}>
          <Money cents={left} sign />
        </Fact>
        <Fact label={say(['适用范围', 'Scope'])} wide>
          <span className="m-num">
            {say(
              [
                '{goods} 件在售商品，{merchants} 家商户',
                'On sale: {goods}; merchants: {merchants}',
              ],
              size,
            )}
          </span>
        </Fact>
      </Facts>
    </Section>
  )
}
/** How its maker's coupons were decided and used. */
const Maker = ({ of: { maker, task } }: Of) => {
  const say = useSay()
  const rate = maker.claimed === 0 ? 0 : Math.round((maker.used * 10_000) / maker.claimed)
  return (
    <Section title={say(['创建人的历史', 'Creator history'])} aside={<span>{task.bd_name}</span>}>
      <Facts>
        <Fact label={say(['审核', 'Audits'])} wide>
          <span className="m-num">
            {say(
              ['通过 {approved} · 驳回 {rejected}', '{approved} approved · {rejected} rejected'],
              maker,
            )}
          </span>
        </Fact>
        <Fact label={say(['使用率', 'Used'])} wide>
          <span className="m-num">
            {percent(rate)}{' '}
            <span className="m-muted">
              {say(['领 {claimed} · 用 {used}', '{claimed} claimed · {used} used'], maker)}
            </span>
          </span>
        </Fact>
      </Facts>
    </Section>
  )
}

type Terms = CouponAuditDetail['task']['terms']
/** The rows that these fields hold are called by name here, and by number in the log. */
const named: Readonly<Partial<Record<AuditedField, Text>>> = {
  apply_ids: ['适用对象', 'Applies to'],
  exclude_ids: ['排除对象', 'Excluded'],
}
/** A field of the terms in words. */
const wordsOf = (
  field: AuditedField,
  of: Terms,
  detail: CouponAuditDetail,
  say: Say,
): ReactNode => {
  const [word, value] = [auditedWord(field), of[field]]
  if (field === 'apply_ids' || field === 'exclude_ids')
    return of[field].map(id => detail.names[field][id] ?? `#${id}`).join(say(comma)) || '—'
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0))
    return word.none ? say(word.none) : '—'
  if (field === 'city_ids' && detail.task.terms === of) return detail.task.city_name
  switch (word.kind) {
    case 'enum':
      return say(word.options[String(value)] ?? [String(value), String(value)])
    case 'money':
      return yuan(Number(value))
    case 'percent':
      return percent(Number(value))
    case 'time':
      return timeFull(Number(value))
    case 'flag':
      return say(value ? ['是', 'Yes'] : ['否', 'No'])
    default:
      return Array.isArray(value) ? value.join(say(comma)) : String(value)
  }
}
/** All terms; those that differ from what was audited before have the old value struck out. */
const Terms = ({ of, whole }: Of & { whole: boolean }) => {
  const say = useSay()
  const { terms } = of.task
  const differ = new Set(of.last ? termsChanged(of.last, terms) : [])
  const fields = auditedFields.filter(field => whole || differ.has(field))
  if (fields.length === 0) return null
  return (
    <Section
      title={
        whole ? say(['全部规则', 'All terms']) : say(['与上次审核相比', 'Since the last audit'])
      }
    >
      <dl className="m-facts">
        {fields.map(field => (
          <FactChange
            key={field}
            label={say(named[field] ?? auditedWord(field).title)}
            wide={field in named}
            now={wordsOf(field, terms, of, say)}
            was={differ.has(field) ? wordsOf(field, of.last!, of, say) : undefined}
          />
        ))}
      </dl>
    </Section>
  )
}

/** The steps of a submission and the remarks about it, the newest first. */
const Trail = ({ of: { trail } }: Of) => {
  const say = useSay()
  return (
    <Section title={say(['操作与意见', 'History and remarks'])}>
      <ul className="a-rounds">
        {trail.map((one, at) => (
          <li key={at}>
            <When at={one.at} />
            <span>{one.by}</span>
            <span>
              {say(
                couponSteps[one.action.slice(one.action.lastIndexOf('.') + 1)] ?? [
                  one.action,
                  one.action,
                ],
              )}
              {one.reason && <div className="m-muted">{one.reason}</div>}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  )
}
/** A coupon's submission in full, as the queue shows it and as its own page does. */
export const CouponSubmission = ({
  of,
  me,
  stale,
  goods,
  children,
}: {
  of: CouponAuditDetail
  me: number
  stale: boolean
  /** Reads the goods of its scope: on its own page, which tells all there is. */
  goods?: GoodsCall
  children?: ReactNode
}) => {
  const say = useSay()
  const { task } = of
  const whole = goods !== undefined
  return (
    <SubmissionFrame
      task={task}
      me={me}
      viewers={of.viewers}
      stale={stale}
      banner={children}
      told={
        <>
          <span>
            {say(couponKinds[task.kind])}
            {task.round > 1 && say([' · 第 {n} 轮', ' · round {n}'], { n: task.round })}
          </span>
          <span className="m-num">{of.coupon_no}</span>
          <span>{task.city_name || say(['全部城市', 'All cities'])}</span>
          <span>{say(['由 {who} 创建', 'Created by {who}'], { who: task.bd_name || '—' })}</span>
          {task.first_name && (
            <span>{say(['初审 {who}', 'First audit by {who}'], { who: task.first_name })}</span>
          )}
        </>
      }
    >
      <Findings of={of.findings} text={couponRuleText} fieldOf={() => undefined} />
      <Section title={say(['优惠内容', 'Offer'])}>
        <p>{say(couponSentence(task.terms))}</p>
      </Section>
      <div className="a-columns">
        <div>
          <Section title={say(['商品毛利', 'Product margin'])}>
            {goods ? <AllGoods key={task.id} call={goods} id={task.id} /> : <Worst of={of} />}
          </Section>
          <Beside of={of} />
          {whole && <Examples of={of} />}
          {whole && <Cart of={of} />}
          <Terms of={of} whole={whole} />
        </div>
        <div>
          <Exposure of={of} />
          <Maker of={of} />
          <Rounds
            of={of.rounds}
            codes={couponRefuseCodes}
            what={one => say(['第 {n} 轮', 'Round {n}'], { n: one.round })}
          />
          {whole && <Trail of={of} />}
        </div>
      </div>
    </SubmissionFrame>
  )
}
