import { codeStates } from '#src/areas/ecard/ecard.ts'
import { cardText } from '#src/areas/redeemCode/card.ts'
import { goodsStates } from '#src/areas/redeemCode/goods.ts'
import { redeemResults, type RedeemResult } from '#src/areas/redeemCode/redeemCode.ts'
import { colon, comma } from '#src/domain/text.ts'
import { SmallTable } from '#src/kit/cells.tsx'
import { Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { DeskCode, LookedUp } from '../contract/vertify.ts'

/** The result of the scan, in the largest letters of the page. */
export const Verdict = ({ result, text }: { result: RedeemResult; text: string }) => (
  <p className="rc-verdict" data-good={result === 'ok' || undefined}>
    {text}
  </p>
)
/** The prize of a redeemed code: what the counter hands over, or who did, when and where. */
const Goods = ({ of }: { of: NonNullable<DeskCode['goods']> }) => {
  const say = useSay()
  return (
    <Section title={say(['实物奖品', 'Prize'])}>
      <p className="rc-verdict" data-good={of.state === 'waiting' || undefined}>
        {say(goodsStates[of.state])}
        {say(colon)}
        {of.name}
      </p>
      <Facts>
        <Fact label={say(['领取截止', 'Collect by'])}>
          <When at={of.until} />
        </Fact>
        {of.at !== null && (
          <>
            <Fact label={say(['核销时间', 'Handed over'])}>
              <When at={of.at} />
            </Fact>
            <Fact label={say(['核销门店', 'Store'])}>{of.store}</Fact>
            <Fact label={say(['核销人', 'By'])}>{of.by}</Fact>
          </>
        )}
      </Facts>
    </Section>
  )
}
/** The e-card that a code gave: how it stands says whether it can be taken back. */
const Card = ({ of }: { of: NonNullable<DeskCode['card']> }) => {
  const say = useSay()
  return (
    <Section title={say(['已发电子卡', 'E-card given'])}>
      <Facts>
        <Fact wide label={say(['电子卡', 'E-card'])}>
          {cardText(of, say)}
        </Fact>
        <Fact label={say(['状态', 'State'])}>{say(codeStates[of.state])}</Fact>
        <Fact label={say(['余额', 'Balance'])}>
          <Money cents={of.balance_cents} />
        </Fact>
      </Facts>
    </Section>
  )
}
/** A code: what it gives, to whom, how long, and what was done with it. */
export const CodeShown = ({ row }: { row: DeskCode }) => {
  const say = useSay()
  return (
    <article aria-label={row.masked}>
      {row.goods && <Goods of={row.goods} />}
      {row.card && <Card of={row.card} />}
      <Section title={row.masked}>
        <Facts>
          <Fact wide label={say(['奖励', 'Rewards'])}>
            {row.rewards.join(say(comma))}
          </Fact>
          <Fact label={say(['批次', 'Batch'])}>{row.batch_name}</Fact>
          <Fact label={say(['合作方', 'Partner'])}>{row.partner}</Fact>
          <Fact wide label={say(['有效期', 'Validity'])}>
            <Span from={row.start_at} to={row.end_at} />
          </Fact>
          <Fact label={say(['适用商场', 'Malls'])}>
            {row.malls.join(say(comma)) || say(['全部', 'All'])}
          </Fact>
          <Fact label={say(['使用', 'Used'])}>
            {row.used_times} / {row.use_limit}
          </Fact>
          <Fact label={say(['持有人', 'Holder'])}>
            {row.holder ? `${row.holder} ${row.phone ?? ''}` : '—'}
          </Fact>
          <Fact label={say(['查看明文', 'Revealed'])}>
            {say(['{n} 次', '{n} times'], { n: row.revealed })}
          </Fact>
        </Facts>
      </Section>
      <Section title={say(['记录', 'History'])}>
        {row.history.length === 0 ? (
          <p className="m-muted">{say(['还没有人兑换过', 'No redemptions yet'])}</p>
        ) : (
          <SmallTable
            head={[
              ['时间', 'When'],
              ['结果', 'Result'],
              ['会员', 'Member'],
              ['办理人', 'Handled by'],
            ]}
            rows={row.history}
            keyOf={one => one.id}
            cells={one => [
              <When key="at" at={one.at} />,
              <Badge key="result" tone={one.result === 'ok' && !one.revoked ? 'good' : 'plain'}>
                {one.revoked ? say(['已撤销', 'Undone']) : say(redeemResults[one.result])}
              </Badge>,
              one.member || '—',
              one.by || say(['会员本人', 'The member']),
            ]}
          />
        )}
      </Section>
    </article>
  )
}
/** The results of several codes. */
export const Looked = ({ rows }: { rows: readonly LookedUp[] }) => {
  const say = useSay()
  const good = rows.filter(row => row.result === 'ok').length
  return (
    <Section
      title={say(['共 {n} 个，可兑换 {good} 个', '{n} codes, {good} can be redeemed'], {
        n: rows.length,
        good,
      })}
    >
      <SmallTable
        head={[
          ['行', 'Line'],
          ['码', 'Code'],
          ['状态', 'State'],
          ['批次', 'Batch'],
          ['说明', 'Description'],
        ]}
        rows={rows}
        keyOf={row => row.line}
        cells={row => [
          row.line,
          <span key="code" className="m-num">
            {row.masked}
          </span>,
          <Badge key="state" tone={row.result === 'ok' ? 'good' : 'bad'}>
            {row.result === 'ok' ? say(['可兑换', 'Redeemable']) : say(redeemResults[row.result])}
          </Badge>,
          row.batch_name || '—',
          row.text,
        ]}
      />
    </Section>
  )
}
