import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { couponEdit, mallCouponForm } from '#commands/pages/coupon.ts'
import { couponSentence, maxCost } from '#src/areas/coupon/couponSentence.ts'
import { couponClaims } from '#src/areas/coupon/couponWords.ts'
import { percent } from '#src/domain/money.ts'
import { aside, comma, type Text } from '#src/domain/text.ts'
import { Fact, Facts, Money, Section, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { CouponWhole } from '../contract/coupon.ts'

const pieceWords = {
  unused: ['未使用', 'Unused'],
  locked: ['已占用', 'Reserved'],
  used: ['已使用', 'Used'],
  expired: ['已过期', 'Expired'],
  revoked: ['已收回', 'Taken back'],
  returned: ['退款退回', 'Returned by refund'],
} as const satisfies Record<keyof CouponWhole['pieces'], Text>
const NAMED_MOST = 20
/** The first names of some, and how many more there are. */
const Names = ({ of }: { of: readonly { id: number; name: string }[] }) => {
  const say = useSay()
  const more = of.length - NAMED_MOST
  return (
    <>
      {of
        .slice(0, NAMED_MOST)
        .map(one => one.name)
        .join(say(comma))}
      {more > 0 && say(['等 {n} 个', ' and {n} more'], { n: more })}
    </>
  )
}
const addressOf = (of: Pick<CouponWhole, 'scope'>, id: number): string =>
  of.scope === 'local' ? to(couponEdit, { id }) : to(mallCouponForm, { id })

/** What a coupon is for, by name, and what of that is dead. */
const Reach = ({ of }: { of: CouponWhole }) => {
  const say = useSay()
  return (
    <>
      {of.cities.length > 0 && (
        <Fact wide label={say(['适用城市', 'Cities'])}>
          <Names of={of.cities} />
        </Fact>
      )}
      {of.applies.length > 0 && (
        <Fact wide label={say(['适用对象', 'Applies to'])}>
          <Names of={of.applies} />
        </Fact>
      )}
      {of.excludes.length > 0 && (
        <Fact wide label={say(['排除对象', 'Excluded'])}>
          <Names of={of.excludes} />
        </Fact>
      )}
      {of.dead.length > 0 && (
        <Fact wide label={say(['已失效', 'No longer valid'])}>
          <span className="m-bad">
            {of.dead.map(one => `${one.name}${say(aside, { it: one.why })}`).join(say(comma))}
          </span>
        </Fact>
      )}
    </>
  )
}
/** A coupon as it stands: its sentence, what it costs, how its pieces stand. */
export const CouponFacts = ({ of }: { of: CouponWhole }) => {
  const say = useSay()
  const cost = maxCost(of)
  return (
    <>
      <Section title={say(['条款', 'Terms'])}>
        <p className="cp-sentence">{say(couponSentence(of))}</p>
        <Facts>
          {of.reason && (
            <Fact wide label={say(['原因', 'Why'])}>
              {of.reason}
            </Fact>
          )}
          <Reach of={of} />
          <Fact label={say(['领取方式', 'Claim method'])}>{say(couponClaims[of.claim_kind])}</Fact>
          <Fact label={say(['券编号', 'Number'])}>{of.coupon_no}</Fact>
          {of.consent_no && (
            <Fact label={say(['确认或协议编号', 'Consent or agreement no.'])}>{of.consent_no}</Fact>
          )}
          {of.recommend_text && (
            <Fact wide label={say(['推荐语', 'Tagline'])}>
              {of.recommend_text}
            </Fact>
          )}
        </Facts>
      </Section>
      <Section title={say(['费用', 'Cost'])}>
        <Facts>
          <Fact label={say(['已减免', 'So far'])}>
            <Money cents={of.cost_cents} sign />
          </Fact>
          <Fact label={say(['最大成本', 'Maximum cost'])}>
            <Money cents={cost.total_cents} sign />
          </Fact>
          <Fact label={say(['预算', 'Budget'])}>
            {of.budget_cents === null ? '—' : <Money cents={of.budget_cents} sign />}
          </Fact>
          <Fact label={say(['平台承担', 'Paid by platform'])}>{percent(of.platform_share_bp)}</Fact>
        </Facts>
      </Section>
      <Section
        title={say(['领用（{n} / {of}）', 'Claimed ({n} of {of})'], {
          n: of.claimed_count,
          of: of.total,
        })}
      >
        <Facts>
          {(Object.keys(pieceWords) as (keyof typeof pieceWords)[]).map(key => (
            <Fact key={key} label={say(pieceWords[key])}>
              {of.pieces[key]}
            </Fact>
          ))}
        </Facts>
      </Section>
      <Section title={say(['来源', 'Source'])}>
        <Facts>
          <Fact label={say(['负责人', 'Owner'])}>{of.creator_name || '—'}</Fact>
          <Fact label={say(['创建时间', 'Created'])}>
            <When at={of.created_at} />
          </Fact>
          <Fact label={say(['审核通过', 'Approved'])}>
            <When at={of.approved_at} />
          </Fact>
          <Fact label={say(['被复制', 'Copied'])}>
            {say(['{n} 次', '{n} times'], { n: of.copies })}
          </Fact>
          {of.source && (
            <Fact wide label={say(['复制自', 'Copied from'])}>
              <Link href={addressOf(of, of.source.id)}>{of.source.name}</Link>
              {of.source.used_bp !== null &&
                say(['，使用率 {rate}', ', {rate} of it used'], {
                  rate: percent(of.source.used_bp),
                })}
            </Fact>
          )}
        </Facts>
      </Section>
    </>
  )
}
