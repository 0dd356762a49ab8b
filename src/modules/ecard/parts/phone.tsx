import type { CardDraft } from '#src/areas/ecard/card.ts'
import { cardCustomText, cardScopeText, cardValidText } from '#src/areas/ecard/cardSentence.ts'
import { cardTypes, refundRules, type CardState } from '#src/areas/ecard/ecard.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { Picture } from '#src/kit/image.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { useSay } from '#src/kit/text.ts'
import './ecard.css'

export const scenes = {
  detail: ['商品详情', 'Product page'],
  greeting: ['赠送祝福', 'Greeting'],
  pack: ['我的卡包', 'Card pack'],
  redeem: ['门店核销', 'At the store'],
} as const satisfies Record<string, Text>
export type Scene = keyof typeof scenes
type Face = { face_cents: number; price_cents: number; bonus_cents: number }
type Shown = { card: CardDraft; face: Face | undefined; stands: Text | undefined }
/** Why buyers can't have a card now; undefined where it is on sale. */
export const standsAs = (
  state: CardState,
  of: Pick<CardDraft, 'valid_type' | 'valid_until'>,
  now: number,
): Text | undefined => {
  if (of.valid_type === 'fixed' && of.valid_until !== null && of.valid_until <= now)
    return ['该卡已过期', 'The card has expired']
  if (state === 'off')
    return ['该卡已下架，已购卡仍可使用', 'Off sale; cards already sold stay usable']
  return state === 'draft' ? ['该卡尚未上架', 'The card is not on sale yet'] : undefined
}
const short = (cents: number) => yuan(cents).replace(/\.00$/, '')
/** The face of the card; where it has no picture, what consumers see in its place. */
const Art = ({ card, face }: Shown) => {
  const say = useSay()
  const art = card.arts[0] ?? card.cover
  return (
    <div className="ec-art">
      {art ? (
        <Picture of={art} label={card.name} />
      ) : (
        <div className="ec-noart" role="img" aria-label={say(['暂无卡面', 'No design yet'])}>
          {say(cardTypes[card.type])}
        </div>
      )}
      <b>{card.name || say(['未命名', 'Untitled'])}</b>
      {face && <span className="m-num">¥{short(face.face_cents)}</span>}
    </div>
  )
}
const Detail = (of: Shown) => {
  const say = useSay()
  const { card, face } = of
  const custom = cardCustomText(card)
  return (
    <>
      <Art {...of} />
      {face && (
        <p>
          <b className="m-num">¥{yuan(face.price_cents)}</b>
          {face.bonus_cents > 0 &&
            ` ${say(['赠 {n} 元', '¥{n} bonus'], { n: short(face.bonus_cents) })}`}
        </p>
      )}
      {custom && <p>{say(custom)}</p>}
      <p>{say(cardValidText(card))}</p>
      <p>{say(cardScopeText(card.scope))}</p>
      <p>{say(refundRules[card.refund_rule])}</p>
      {card.notice && <p className="ec-small">{card.notice}</p>}
      <span className="ec-buy" aria-disabled="true">
        {of.stands ? say(['暂不可购买', 'Not available']) : say(['立即购买', 'Buy'])}
      </span>
      <p className="ec-small">{say(['预览页不能下单', 'Orders can’t be placed in a preview'])}</p>
    </>
  )
}
const Greeting = (of: Shown) => {
  const say = useSay()
  if (!of.card.gift)
    return <p>{say(['该卡不可赠送，没有祝福页', 'Not giftable: no greeting page'])}</p>
  const words = of.card.greetings[0] ?? say(['祝你天天开心！', 'Best wishes!'])
  return (
    <>
      <Art {...of} />
      <blockquote>{words}</blockquote>
      <span className="ec-buy" aria-disabled="true">
        {say(['收下这张卡', 'Take the card'])}
      </span>
    </>
  )
}
const heldOf = (face: Face | undefined) => (face ? face.face_cents + face.bonus_cents : 0)
const Pack = (of: Shown) => {
  const say = useSay()
  return (
    <>
      <Art {...of} />
      <p>
        {say(['余额', 'Balance'])} <b className="m-num">¥{yuan(heldOf(of.face))}</b>
      </p>
      <p>{say(cardValidText(of.card))}</p>
      <p className="ec-small">{say(['卡号 •••• 0001（示例）', 'Card •••• 0001 (a sample)'])}</p>
    </>
  )
}
const Redeem = (of: Shown) => {
  const say = useSay()
  return (
    <>
      <h4>{of.card.name || say(['未命名', 'Untitled'])}</h4>
      <p>{say(['卡号 •••• 0001（示例）', 'Card •••• 0001 (a sample)'])}</p>
      <p>
        {say(['可用余额', 'Available balance'])} <b className="m-num">¥{yuan(heldOf(of.face))}</b>
      </p>
      <p>{say(cardScopeText(of.card.scope))}</p>
      <span className="ec-buy" aria-disabled="true">
        {say(['确认收款', 'Confirm payment'])}
      </span>
    </>
  )
}
const drawn = { detail: Detail, greeting: Greeting, pack: Pack, redeem: Redeem }
/** A card as a buyer, a receiver or a cashier sees it; none of its buttons does anything. */
export const CardPhone = ({ scene, dark, ...of }: Shown & { scene: Scene; dark: boolean }) => {
  const say = useSay()
  const Screen = drawn[scene]
  return (
    <Phone
      dark={dark}
      label={`${say(scenes[scene])} · ${dark ? say(['深色', 'dark']) : say(['浅色', 'light'])}`}
    >
      <div className="ec-screen">
        {of.stands && (
          <p className="ec-stands" role="status">
            {say(of.stands)}
          </p>
        )}
        <Screen {...of} />
      </div>
    </Phone>
  )
}
