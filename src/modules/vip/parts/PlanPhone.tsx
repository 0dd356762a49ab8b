import { Dialog, DialogBody } from '@blueprintjs/core'
import { benefits, leftOf, planKinds } from '#src/areas/vipCard/vipCard.ts'
import { yuan } from '#src/domain/money.ts'
import { useRead } from '#src/kit/data.ts'
import { LayerFocus, useReturnFocus } from '#src/kit/focus.ts'
import { Phone } from '#src/kit/phone.tsx'
import { Answer } from '#src/kit/states.tsx'
import { useSay } from '#src/kit/text.ts'
import { plans as calls, type PlanRow } from '../contract/card.ts'
import './vip.css'

/** A plan as a member who has bought none sees it. */
const Offer = ({ row }: { row: PlanRow }) => {
  const say = useSay()
  const price = row.first_price_cents ?? row.price_cents
  return (
    <section className="vp-plan" aria-label={row.name}>
      <b>{row.name}</b>
      <p>
        <b className="m-num">¥{yuan(price)}</b>{' '}
        {price < row.original_cents && <s className="m-num">¥{yuan(row.original_cents)}</s>}
      </p>
      <p className="vp-small">
        {say(planKinds[row.kind])} · {say(['{n} 天', '{n} days'], { n: row.days })}
        {row.auto_renew &&
          ` · ${say(['到期自动续费，可随时关闭', 'Renews automatically; cancel any time'])}`}
      </p>
      <ul>
        {row.benefits.map(one => (
          <li key={one}>{say(benefits[one])}</li>
        ))}
        {row.gift_coupon_ids.length > 0 && (
          <li>
            {say(['开卡送 {n} 张券', '{n} welcome coupons'], {
              n: row.gift_coupon_ids.length,
            })}
          </li>
        )}
      </ul>
      {leftOf(row) === 0 && <p className="vp-small">{say(['已售罄', 'Sold out'])}</p>}
    </section>
  )
}
/** The purchase page as it is on a phone, by what is on sale now; nothing is bought in it. */
export const PlanPhone = ({ close }: { close: () => void }) => {
  useReturnFocus()
  const say = useSay()
  const read = useRead(calls.lst, { status: 'on', pageSize: 50 })
  const title = say(['购买页预览', 'Purchase page preview'])
  return (
    <Dialog isOpen onClose={close} title={title}>
      <DialogBody>
        <Phone label={title} title={say(['开通会员', 'Become a member'])}>
          <Answer of={read}>
            {({ list }) => (
              <>
                {list.length === 0 && (
                  <p className="vp-small">{say(['暂无在售卡种', 'No plans on sale'])}</p>
                )}
                {list.map(row => (
                  <Offer key={row.id} row={row} />
                ))}
              </>
            )}
          </Answer>
          <p className="vp-small">
            {say(['预览页不能下单', 'Preview only: orders can’t be placed'])}
          </p>
        </Phone>
        <LayerFocus />
      </DialogBody>
    </Dialog>
  )
}
