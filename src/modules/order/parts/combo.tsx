import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { comboRefund } from '#commands/pages/order.ts'
import { comboPolicies, policyWords, type ComboFigures } from '#src/areas/combo/combo.ts'
import { itemWays } from '#src/areas/order/order.ts'
import { yuan } from '#src/domain/money.ts'
import type { Text } from '#src/domain/text.ts'
import { Picture } from '#src/kit/image.tsx'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ComboFile, Lane } from '../contract/combo.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import { CaseState } from './cases.tsx'
import { MoneyLine } from './MoneyLine.tsx'
import { ShipmentBadge } from './ShipmentBadge.tsx'
import { AfterSale, CodeBadge, StatusBadge } from './show.tsx'
import './combo.css'

type Bundle = NonNullable<OrderRow['bundle']>
/** How far each part of a bundle is: one mark a part, in words on hover. */
export const Parts = ({ of }: { of: Bundle }) => (
  <span className="cb-parts">
    {of.parts.map((part, at) => (
      <span key={at} title={part.title} data-closed={part.closed || undefined}>
        <StatusBadge status={part.status} />
      </span>
    ))}
  </span>
)
export const Policy = ({ policy }: { policy: Bundle['policy'] }) => {
  const say = useSay()
  return (
    <Badge tone={policy === 'whole' ? 'warn' : 'plain'} title={say(policyWords[policy])}>
      {say(comboPolicies[policy])}
    </Badge>
  )
}

type Tick = {
  has: (item_id: number) => boolean
  can: (lane: Lane) => boolean
  toggle: (item_id: number) => void
  says: Text
}
/** What the store got, of what it gets when all of it is used; nothing where that is hidden. */
const ToStore = ({
  settled = 0,
  whole = 0,
}: {
  settled: number | undefined
  whole: number | undefined
}) => {
  const say = useSay()
  if (whole <= 0) return null
  return (
    <div>
      <dt>{say(['结算给门店', 'Settled to store'])}</dt>
      <dd>
        {settled > 0 ? <Money cents={settled} /> : <span className="m-muted">0.00</span>}{' '}
        <span className="m-muted">
          / <Money cents={whole} />
        </span>
      </dd>
    </div>
  )
}
/** The codes and the parcels that a part was given out as. */
const Units = ({ of }: { of: Lane }) => {
  const say = useSay()
  return (
    <>
      {of.codes.map(code => (
        <div key={code.id} className="cb-unit">
          <span className="m-num">{code.code ?? `····${code.tail}`}</span>{' '}
          <CodeBadge state={code.state} />{' '}
          <span className="m-muted">
            {say(['有效期至', 'until'])} <When at={code.valid_until} />
          </span>
        </div>
      ))}
      {of.parcels.map(one => (
        <div key={one.id} className="cb-unit">
          <span className="m-num">
            {one.courier} {one.tracking_no}
          </span>{' '}
          <ShipmentBadge state={one.state} /> <When at={one.at} />
          {one.last && <span className="m-muted"> {one.last}</span>}
        </div>
      ))}
    </>
  )
}
/** What a part is worth, what of it was used or went back, and what its store gets. */
const LaneMoney = ({ of, asked_cents }: { of: Lane; asked_cents: number }) => {
  const say = useSay()
  return (
    <dl className="cb-money">
      <MoneyLine label={say(['单价', 'Unit price'])} cents={of.price_cents * of.qty} />
      <MoneyLine label={say(['套餐优惠', 'Combo discount'])} cents={-of.saving_cents} />
      {of.platform_cents > 0 && (
        <MoneyLine label={say(['平台优惠', 'Platform'])} cents={-of.platform_cents} />
      )}
      <div data-sum="">
        <dt>{say(['实付分摊', 'Share'])}</dt>
        <dd>
          <Money cents={of.share_cents} />
        </dd>
      </div>
      {of.used_cents > 0 && <MoneyLine label={say(['已用分摊', 'Used'])} cents={of.used_cents} />}
      {of.refunded_cents > 0 && (
        <MoneyLine label={say(['已退', 'Refunded'])} cents={of.refunded_cents} />
      )}
      {asked_cents > 0 && (
        <div data-sum="">
          <dt>{say(['本单退', 'Asked'])}</dt>
          <dd>
            <Money cents={asked_cents} sign />
          </dd>
        </div>
      )}
      <ToStore settled={of.settled_cents} whole={of.settle_cents} />
    </dl>
  )
}
/** One part as a lane: whose it is, how far, what it is worth and what its store gets. */
export const LaneOf = ({
  of,
  tick,
  asked,
}: {
  of: Lane
  tick?: Tick | undefined
  asked?: { n: number; cents: number } | undefined
}) => {
  const say = useSay()
  const name = (
    <>
      <b>{of.title}</b>
      {of.qty > 1 && <span className="m-num"> × {of.qty}</span>}
    </>
  )
  return (
    <li className="cb-lane" data-chosen={tick?.has(of.item_id) || undefined}>
      {tick ? (
        <input
          type="checkbox"
          checked={tick.has(of.item_id)}
          disabled={!tick.can(of)}
          onChange={() => tick.toggle(of.item_id)}
          aria-label={say(tick.says, { title: of.title })}
        />
      ) : (
        <i />
      )}
      {of.image ? <Picture of={of.image} label="" /> : <span />}
      <div className="cb-what">
        <div>
          {name} <StatusBadge status={of.status} />
          {asked && asked.n > 0 && (
            <Badge tone="warn">{say(['本单申请退 {n}', '{n} requested'], { n: asked.n })}</Badge>
          )}
          {of.closed && (
            <Badge tone="bad">
              {say(['门店已关，可单独退', 'Store closed: may go by itself'])}
            </Badge>
          )}
        </div>
        <div className="m-muted">
          {say(itemWays[of.way])} · {of.store_name || say(['无门店', 'No store'])} ·{' '}
          {of.merchant_name}
          {of.sku && ` · ${of.sku}`}
          <AfterSale of={of} />
        </div>
        <div className="m-muted m-num">
          {say(
            [
              '已用 {u} · 退款中 {r} · 已退 {d} · 可退 {l}',
              'used {u} · in refund {r} · refunded {d} · left {l}',
            ],
            { u: of.used, r: of.refunding, d: of.refunded, l: of.left },
          )}
        </div>
        {of.replaced && (
          <div className="m-muted">
            {say(['更换自「{title}」（¥{price}）', 'In the place of “{title}” (¥{price})'], {
              title: of.replaced.title,
              price: yuan(of.replaced.price_cents),
            })}
          </div>
        )}
        <Units of={of} />
      </div>
      <LaneMoney of={of} asked_cents={asked?.cents ?? 0} />
    </li>
  )
}
/**
 * How much, two ways: at the shares, which is what is paid, and as if what was used cost its single
 * price, to compare.
 */
export const HowMuch = ({ of, label }: { of: ComboFigures; label: Text }) => {
  const say = useSay()
  return (
    <dl className="cb-figures">
      <div data-main="">
        <dt>{say(label)}</dt>
        <dd>
          <Money cents={of.amount_cents} sign />
        </dd>
      </div>
      <div>
        <dt>{say(['已用子项分摊（不退）', 'Used parts (not refunded)'])}</dt>
        <dd>
          <Money cents={of.used_cents} />
        </dd>
      </div>
      <div>
        <dt>{say(['若已用按单价计，可退', 'Refund if used parts are at full price'])}</dt>
        <dd>
          <Money cents={of.single_cents} sign />
        </dd>
      </div>
      {of.amount_cents !== of.single_cents && (
        <div>
          <dt>{say(['两种算法相差', 'The difference'])}</dt>
          <dd>
            <Money cents={of.amount_cents - of.single_cents} />
          </dd>
        </div>
      )}
    </dl>
  )
}
/**
 * A bundle on the page of its order: the policy in words, what could be given back, and its parts.
 */
export const Lanes = ({
  of,
  chosen,
  onChosen,
}: {
  of: ComboFile
  chosen: ReadonlySet<number>
  onChosen: (ids: ReadonlySet<number>) => void
}) => {
  const say = useSay()
  const toggle = (item_id: number) => {
    const next = new Set(chosen)
    if (!next.delete(item_id)) next.add(item_id)
    onChosen(next)
  }
  const picked = of.lanes.filter(lane => chosen.has(lane.item_id))
  return (
    <>
      <p className="cb-policy">
        <Policy policy={of.policy} /> {say(policyWords[of.policy])}
        {of.refused && of.figures.used_cents > 0 && (
          <span className="m-bad">{say(of.refused)}</span>
        )}
      </p>
      {of.open.map(one => (
        <p key={one.id} className="cb-policy">
          <CaseState state={one.state} />{' '}
          <Link href={to(comboRefund, { keyword: one.refund_no })}>
            <span className="m-num">{one.refund_no}</span>
          </Link>{' '}
          <Money cents={one.amount_cents} sign />
          {one.override && <Badge tone="bad">{say(['政策例外', 'Exception'])}</Badge>}
        </p>
      ))}
      <ul className="cb-lanes">
        {of.lanes.map(lane => (
          <LaneOf
            key={lane.item_id}
            of={lane}
            tick={{
              has: id => chosen.has(id),
              can: () => true,
              toggle,
              says: ['选择 {title}', 'Choose {title}'],
            }}
          />
        ))}
      </ul>
      <div className="cb-foot">
        <HowMuch of={of.figures} label={['现在最多可退（按分摊）', 'Refundable now (pro rata)']} />
        <p className="m-muted">
          {picked.length > 0
            ? say(['已选 {n} 项，可退 ¥{sum}', '{n} chosen, ¥{sum} can be given back'], {
                n: picked.length,
                sum: yuan(
                  picked.reduce(
                    (all, lane) =>
                      all +
                      (lane.left > 0
                        ? Math.max(0, lane.share_cents - lane.used_cents - lane.refunded_cents)
                        : 0),
                    0,
                  ),
                ),
              })
            : say(['勾选子项后退款、发货或更换', 'Select parts to refund, ship or replace'])}
        </p>
      </div>
    </>
  )
}
