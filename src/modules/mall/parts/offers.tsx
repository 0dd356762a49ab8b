import { ENDING_S } from '#src/areas/mall/recommend.ts'
import { percent, yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { DAY, timeFull } from '#src/domain/time.ts'
import type { Flag } from '#src/kit/board-rows.tsx'
import { Phone } from '#src/kit/phone.tsx'
import { Money } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { OfferRow } from '../contract/recommend.ts'
import { thin } from './RecommendBoard.tsx'
import { Thumb } from './thumb.tsx'

const kinds: Record<string, Text> = {
  bulks: ['团购', 'Group-buy'],
  card: ['卡券', 'Card'],
  voucher: ['代金券', 'Voucher'],
  goods: ['商品', 'Goods'],
  elist: ['电商', 'Online'],
}
const share = (bp: number | null) => (bp === null ? '—' : percent(bp))

/** An offer as a board compares it: price and margin, what it sold, how it converts, until when. */
export const OfferLine = ({
  of,
  kind = false,
  redeem = false,
}: {
  of: OfferRow
  kind?: boolean
  redeem?: boolean
}) => {
  const say = useSay()
  const margin =
    of.settle_price_cents === undefined || of.price_cents === 0
      ? undefined
      : Math.round(((of.price_cents - of.settle_price_cents) / of.price_cents) * 10_000)
  return (
    <div className="ml-line">
      <Thumb of={of.image} name={of.title} />
      <div>
        <div className="ml-name" title={of.title}>
          {kind && `[${say(kinds[of.kind] ?? [of.kind, of.kind])}] `}
          {of.title}
        </div>
        <div className="ml-meta">
          <span>
            <b>
              <Money cents={of.price_cents} sign />
            </b>
            {of.face_cents
              ? say([' / 面值 ¥{face} · {rate}', ' of ¥{face} · {rate}'], {
                  face: yuan(of.face_cents),
                  rate: percent(Math.round((of.price_cents / of.face_cents) * 10_000)),
                })
              : ''}
          </span>
          {margin !== undefined && !of.face_cents && (
            <span>
              {say(['毛利', 'Margin'])} <b>{percent(margin)}</b>
            </span>
          )}
          <span>
            {say(['30 天售', 'Sold 30 d'])} <b>{of.sold_30d}</b>
          </span>
          <span>
            {redeem ? say(['核销率', 'Redeemed']) : say(['转化', 'Conversion'])}{' '}
            <b>{share(redeem ? of.verified_bp : of.convert_bp)}</b>
          </span>
          <span>
            {say(['库存', 'Stock'])} <b>{of.stock_left}</b>
          </span>
          <span>
            {say(['店内门店', 'Stores here'])} <b>{of.store_count_in_mall}</b>
          </span>
          <span>
            {say(['核销至', 'Redeem by'])} {timeFull(of.check_end_at).slice(0, 10)}
          </span>
          <span className="m-ellipsis" title={of.merchant_name}>
            {of.merchant_name}
          </span>
        </div>
      </div>
    </div>
  )
}
/** What makes an offer a doubtful choice: little left, or soon over. */
export const useOfferFlags = () => {
  const say = useSay()
  return (of: OfferRow, now: number): readonly Flag[] => [
    ...(thin(of.stock_left)
      ? [{ tone: 'warn' as const, text: say(['仅剩 {n}', '{n} left'], { n: of.stock_left }) }]
      : []),
    ...(of.state === 'on_sale' && of.sale_end_at > now && of.sale_end_at - now < ENDING_S
      ? [
          {
            tone: 'warn' as const,
            text: say(['{n} 天内停售', 'Ends in {n} d'], {
              n: Math.max(1, Math.ceil((of.sale_end_at - now) / DAY)),
            }),
          },
        ]
      : []),
  ]
}
export const OffersPhone = ({ rows, title }: { rows: readonly OfferRow[]; title: string }) => {
  const say = useSay()
  return (
    <Phone label={say(['手机预览', 'Phone preview'])} title={say(['商场首页', 'Mall home'])}>
      {rows.length === 0 ? (
        <p className="m-muted">
          {say(['没有可展示的内容，这一块不显示', 'Nothing to show: the block is hidden'])}
        </p>
      ) : (
        <div className="ml-block">
          <h4>{title}</h4>
          <div className="ml-cards">
            {rows.slice(0, 8).map(row => (
              <div className="ml-card" key={row.id}>
                <Thumb of={row.image} name={row.title} />
                <p>{row.title}</p>
                <p className="ml-price">
                  <Money cents={row.price_cents} sign />
                </p>
              </div>
            ))}
          </div>
        </div>
      )}
    </Phone>
  )
}
