import { Lock } from '@blueprintjs/icons'
import { useMemo } from 'react'
import { isMadeOnPay, soldLock, soldLocks, type CardDraft } from '#src/areas/ecard/card.ts'
import { cardExposure, cardSentence, SAMPLE_SOLD } from '#src/areas/ecard/cardSentence.ts'
import { cardTypes, codeSources } from '#src/areas/ecard/ecard.ts'
import { suppliers } from '#src/areas/ecard/suppliers.ts'
import { logged } from '#src/areas/ecard/words.ts'
import { useRead } from '#src/kit/data.ts'
import { useRested } from '#src/kit/rested.ts'
import { Badge, Fact, Facts, Money, Section } from '#src/kit/show.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { cardAdd } from '../contract/form.ts'
import type { CardWhole } from '../contract/list.ts'

type Face = {
  face_cents: number
  price_cents: number
  bonus_cents: number
  cost_cents: number
  free_n: number
  status: 'on' | 'off'
}
type Of = { card: CardDraft; faces: readonly Face[] }
export const EXAMPLE_ID = 'ec-example'

/** The sum that a card may come to when all of it is sold. */
const Exposure = ({ card, faces, now }: Of & { now: CardWhole | undefined }) => {
  const say = useSay()
  const most = cardExposure(card, faces)
  return (
    <Section
      title={say(['最大成本', 'Maximum cost'])}
      aside={
        <span className="m-muted">
          {isMadeOnPay(card)
            ? say(['每个面值按 {n} 张计', '{n} of each face value'], { n: SAMPLE_SOLD })
            : say(['售完现有 {n} 张', 'all {n} in stock'], { n: most.cards })}
        </span>
      }
    >
      <Facts>
        <Fact label={say(['待兑付余额', 'Balance to honour'])}>
          <Money cents={most.liability_cents} sign />
        </Fact>
        <Fact label={say(['其中赠送', 'Incl. bonus'])}>
          <Money cents={most.bonus_cents} sign />
        </Fact>
        <Fact label={say(['亏损', 'Loss'])}>
          {most.loss_cents > 0 ? (
            <Badge tone="bad">
              <Money cents={most.loss_cents} sign />
            </Badge>
          ) : (
            <Money cents={0} sign />
          )}
        </Fact>
        {now && (
          <Fact label={say(['现有余额', 'Current outstanding'])}>
            <Money cents={now.outstanding_cents} sign />
          </Fact>
        )}
      </Facts>
    </Section>
  )
}
/** The part that its largest face would pay of an order that was placed where it is good. */
const Example = ({ card, faces }: Of) => {
  const say = useSay()
  const largest = Math.max(0, ...faces.map(face => face.face_cents + face.bonus_cents))
  const asked = useMemo(() => ({ scope: card.scope, held_cents: largest }), [card.scope, largest])
  const [rested] = useRested(asked)
  const trial = useRead(cardAdd.example, rested)
  return (
    <div id={EXAMPLE_ID} tabIndex={-1}>
      <Section title={say(['真实订单试算', 'Real order trial'])}>
        <Answer of={trial} lines={4}>
          {of =>
            of.order_id === 0 ? (
              <p className="m-muted">
                {say([
                  '适用范围内近 30 天没有已付款的订单',
                  'No paid orders in scope in the last 30 days',
                ])}
              </p>
            ) : (
              <Facts>
                <Fact wide label={say(['订单', 'Order'])}>
                  {of.order_no} · {of.store_name}
                </Fact>
                <Fact label={say(['应付', 'To pay'])}>
                  <Money cents={of.pay_cents} sign />
                </Fact>
                <Fact label={say(['卡支付', 'Paid by card'])}>
                  <Money cents={of.card_cents} sign />
                </Fact>
                <Fact label={say(['另付', 'Paid otherwise'])}>
                  <Money cents={of.rest_cents} sign />
                </Fact>
                <Fact label={say(['卡内剩余', 'Left on card'])}>
                  <Money cents={of.left_cents} sign />
                </Fact>
              </Facts>
            )
          }
        </Answer>
      </Section>
    </div>
  )
}
/** What buyers get for each face, where nothing is spent in stores. */
const Margins = ({ faces }: { faces: readonly Face[] }) => {
  const say = useSay()
  return (
    <div id={EXAMPLE_ID} tabIndex={-1}>
      <Section title={say(['售出一张', 'Per card sold'])}>
        <Facts>
          {faces.map(face => (
            <Fact
              key={face.face_cents}
              label={say(['面值 {n} 元', 'Face value ¥{n}'], { n: face.face_cents / 100 })}
            >
              <Money cents={face.price_cents} sign /> {say(['毛利', 'margin'])}{' '}
              <Money cents={face.price_cents - face.cost_cents} sign />
            </Fact>
          ))}
        </Facts>
        {faces.length === 0 && (
          <p className="m-muted">{say(['填写面值后试算', 'Shown once a face value is entered'])}</p>
        )}
      </Section>
    </div>
  )
}
/** The figures of the terms, live while they are written. */
export const Beside = ({ card, faces, now }: Of & { now: CardWhole | undefined }) => {
  const say = useSay()
  const isSpent = card.type === 'stored' || card.type === 'exchange'
  const on = faces.filter(face => face.status === 'on')
  return (
    <>
      <Section title={say(['一句话条款', 'Summary'])}>
        <p role="status">{say(cardSentence(card, on))}</p>
      </Section>
      <Exposure card={card} faces={faces} now={now} />
      {isSpent && on.length > 0 ? <Example card={card} faces={on} /> : <Margins faces={on} />}
    </>
  )
}

/** What sold cards rest on: it stays, with the reason beside it. */
export const Locked = ({ of }: { of: CardWhole }) => {
  const say = useSay()
  const why = say(soldLock)
  const yes = say(['是', 'Yes'])
  const told: Readonly<Record<(typeof soldLocks)[number], string>> = {
    type: say(cardTypes[of.type]),
    named: of.named ? yes : say(['否', 'No']),
    store_id: of.store_name,
    supplier: of.supplier ? say(suppliers[of.supplier]) : '—',
    source: say(codeSources[of.source]),
  }
  return (
    <Section title={say(['已锁定', 'Locked'])}>
      <p className="m-muted">{why}</p>
      <Facts>
        {soldLocks.map(field => (
          <Fact key={field} label={say(logged['ecard']!.fields[field]!.title)}>
            <span title={why}>
              <Lock size={12} tagName={null} aria-hidden /> {told[field]}
            </span>
          </Fact>
        ))}
      </Facts>
    </Section>
  )
}
