import { Confirm, Edit, Pause, Stopwatch, Tick } from '@blueprintjs/icons'
import { batchSentence } from '#src/areas/redeemCode/batchSentence.ts'
import { cardText } from '#src/areas/redeemCode/card.ts'
import { couponText } from '#src/areas/redeemCode/film.ts'
import { batchStates, FINANCE_POINTS, type BatchState } from '#src/areas/redeemCode/redeemCode.ts'
import {
  codeSpace,
  groupedCode,
  sampleCode,
  SPACE_PER_CODE,
  type Alphabet,
} from '#src/areas/secret/secretCode.ts'
import type { Result, Sent } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import type { States } from '#src/kit/cells.tsx'
import { skipToken, useRead } from '#src/kit/data.ts'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { batchAdd } from '../contract/form.ts'
import { couponIds, type BatchAnswers } from './asks.ts'
import { StockLines } from './CardStock.tsx'

export const stateLooks: States<BatchState> = {
  draft: { text: batchStates.draft, icon: Edit },
  auditing: { text: batchStates.auditing, tone: 'info', icon: Stopwatch },
  running: { text: batchStates.running, tone: 'good', icon: Tick },
  paused: { text: batchStates.paused, tone: 'warn', icon: Pause },
  ended: { text: batchStates.ended, icon: Confirm },
}
type Form = { alphabet: Alphabet; length: number; prefix: string }
const formOf = (of: Partial<BatchAnswers>): Form => ({
  alphabet: of.alphabet ?? 'mixed',
  length: Math.min(32, Math.max(8, of.length ?? 16)),
  prefix: (of.prefix ?? '').trim().toUpperCase(),
})
const short = (n: number) =>
  n < 1e6 ? Math.floor(n).toLocaleString() : n.toExponential(1).replace('e+', ' × 10^')

/** How hard the codes are to guess, and what one looks like. */
export const Strength = ({ of }: { of: Partial<BatchAnswers> }) => {
  const say = useSay()
  const form = formOf(of)
  const space = codeSpace(form)
  const each = space / Math.max(1, of.quantity ?? 1)
  return (
    <Section title={say(['码样与强度', 'Sample and strength'])}>
      <div id="rc-sample" tabIndex={-1}>
        <Facts>
          <Fact wide label={say(['码样', 'Sample'])}>
            <code className="m-num">{groupedCode(sampleCode(form))}</code>
          </Fact>
          <Fact label={say(['码空间', 'Possible codes'])}>{short(space)}</Fact>
          <Fact label={say(['每个码对应', 'Per code in use'])}>{short(each)}</Fact>
          <Fact wide label={say(['抗猜测', 'Guess resistance'])}>
            <Badge tone={each >= SPACE_PER_CODE ? 'good' : 'bad'}>
              {each >= SPACE_PER_CODE
                ? say(['足够（至少 100 万倍）', 'Enough (1 million+ each)'])
                : say(['不足 100 万倍，请加长', 'Too few: make codes longer'])}
            </Badge>
          </Fact>
        </Facts>
      </div>
    </Section>
  )
}

/** The cost of the days of a plan, of the e-card and of each coupon, and what keeps them from being promised. */
const Given = ({ told, days }: { told: Result<typeof batchAdd.estimate>; days: number }) => {
  const say = useSay()
  return (
    <>
      {told.plan && (
        <Fact
          wide
          label={say(['会员时长「{plan}」', 'Days of “{plan}”'], {
            plan: told.plan.name,
          })}
        >
          <Money cents={told.plan.cost_cents} /> · {say(['{n} 天', '{n} days'], { n: days })}{' '}
          {told.plan.fault && <span className="m-bad">{told.plan.fault}</span>}
        </Fact>
      )}
      {told.card && (
        <Fact wide label={cardText(told.card, say)}>
          <Money cents={told.card.cost_cents} /> ·{' '}
          {told.card.left === null && say(['兑换时生成', 'made on redemption'])}{' '}
          {told.card.fault && <span className="m-bad">{told.card.fault}</span>}
          {told.card.stock && <StockLines stock={told.card.stock} />}
        </Fact>
      )}
      {told.coupons.map(one => (
        <Fact key={one.id} wide label={couponText(one, say)}>
          <Money cents={one.cost_cents} /> · {say(['剩 {n} 张', '{n} left'], { n: one.left })}{' '}
          {one.fault && <span className="m-bad">{one.fault}</span>}
        </Fact>
      ))}
    </>
  )
}
const nothingYet = { coupons: [], plan: null, card: null }
/** The batch as one sentence, as far as it is written. */
const Sentence = ({
  of,
  told = nothingYet,
}: {
  of: Partial<BatchAnswers>
  told: Pick<Result<typeof batchAdd.estimate>, 'coupons' | 'plan' | 'card'> | undefined
}) => {
  const say = useSay()
  const said = batchSentence({
    partner: of.partner?.trim() ?? '',
    code_kind: of.code_kind ?? 'once',
    quantity: of.quantity ?? 0,
    use_limit: of.use_limit ?? null,
    coupons: told.coupons,
    points: of.points ?? 0,
    membership: told.plan ? { plan: told.plan.name, days: of.vip_days ?? 0 } : null,
    card: told.card,
    goods: of.goods?.trim() ?? '',
    start_at: of.start_at,
    end_at: of.end_at,
    limit_member: of.limit_member ?? null,
    limit_phone: of.limit_phone ?? null,
    limit_device: of.limit_device ?? null,
    new_only: of.new_only ?? false,
    malls: of.malls?.length ?? 0,
  })
  return (
    <Section title={say(['一句话条款', 'Summary'])}>
      <p role="status">{say(said)}</p>
    </Section>
  )
}
type EstimateProps = {
  of: Partial<BatchAnswers>
  /** The batch that is changed. */
  but?: number
  gone?: number
  /** The cost of the days of a code in a batch that was submitted. */
  vip_cents?: number
  /** The same of its e-card. */
  ecard_cents?: number
}
/** What is asked to work out of the answers so far. */
const asksOf = ({ of, but, gone = 0, vip_cents, ecard_cents }: EstimateProps) => ({
  quantity: of.quantity ?? 0,
  ...(of.code_kind === 'shared' && of.use_limit && { use_limit: of.use_limit }),
  points: of.points ?? 0,
  goods_cents: of.goods?.trim() ? (of.goods_cents ?? 0) : 0,
  ...(of.vip_card_id !== undefined && {
    vip_card_id: of.vip_card_id,
    vip_days: of.vip_days ?? 0,
    vip_cents,
  }),
  ...(of.ecard_attr_id !== undefined && {
    ecard_attr_id: of.ecard_attr_id,
    ecard_cents,
  }),
  coupon_ids: couponIds(of),
  ...(of.end_at && { end_at: of.end_at }),
  ...(but !== undefined && { but }),
  gone,
})
/**
 * The batch as a sentence; what all codes may cost at most, beside the budget; and the coupons that do
 * not suffice.
 */
export const Estimate = ({ of, ...more }: EstimateProps) => {
  const say = useSay()
  const [asked] = useRested(JSON.stringify(asksOf({ of, ...more })))
  const input = JSON.parse(asked) as Sent<typeof batchAdd.estimate>
  const read = useRead(batchAdd.estimate, input.quantity > 0 ? input : skipToken)
  const budget = of.budget ?? 0
  return (
    <>
      <Sentence of={of} told={read.data} />
      <Section title={say(['成本测算', 'Cost estimate'])}>
        <div id="rc-estimate" tabIndex={-1} role="status">
          {input.quantity > 0 ? (
            <Answer of={read}>
              {told => (
                <Facts>
                  <Fact label={say(['每次兑换', 'Per redemption'])}>
                    <Money cents={told.unit_cents} />
                  </Fact>
                  <Fact label={say(['最多支出', 'Maximum cost'])}>
                    <Money cents={told.worst_cents} />{' '}
                    {told.worst_cents > budget && (
                      <Badge tone="bad">
                        {say(['超出预算 {n} 元', '¥{n} over budget'], {
                          n: yuan(told.worst_cents - budget),
                        })}
                      </Badge>
                    )}
                  </Fact>
                  {told.needs_finance && (
                    <Fact wide label={say(['积分总量', 'Total points'])}>
                      {told.points_total.toLocaleString()}{' '}
                      <Badge tone="warn">
                        {say(['超过 {n}，须财务同意', 'Over {n}: finance must approve'], {
                          n: FINANCE_POINTS.toLocaleString(),
                        })}
                      </Badge>
                    </Fact>
                  )}
                  <Given told={told} days={input.vip_days ?? 0} />
                </Facts>
              )}
            </Answer>
          ) : (
            <p className="m-muted">{say(['填写数量后测算', 'Shown once a quantity is entered'])}</p>
          )}
        </div>
      </Section>
    </>
  )
}
