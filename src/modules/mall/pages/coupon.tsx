import { useState } from 'react'
import { Link } from 'wouter'
import { to } from '#commands/command.ts'
import { couponActions } from '#commands/mall/mall.ts'
import { coupons } from '#commands/pages/coupon.ts'
import {
  blockReasons,
  couponKinds,
  couponStates,
  type BlockReason,
  type CouponKind,
  type CouponState,
} from '#src/areas/mall/recommend.ts'
import { percent, yuan } from '#src/domain/money.ts'
import { aside } from '#src/domain/text.ts'
import { Drawer } from '#src/kit/drawer.tsx'
import { Badge, Fact, Facts, Money, Section, Span, When } from '#src/kit/show.tsx'
import { useSay } from '#src/kit/text.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { coupon, couponBoard, type CouponRow } from '../contract/recommend.ts'
import { RecommendBoard } from '../parts/RecommendBoard.tsx'

/** What a coupon gives, in words. */
const useWorth = () => {
  const say = useSay()
  return (of: CouponRow): string => {
    const from = yuan(of.threshold_cents)
    const face = yuan(of.face_cents)
    if (of.kind === 'discount' && of.discount_bp !== null)
      return say(['满 {from} 元 {rate} 折', '{off}% off from ¥{from}'], {
        from,
        rate: of.discount_bp / 1000,
        off: 100 - of.discount_bp / 100,
      })
    if (of.threshold_cents > 0)
      return say(['满 {from} 元减 {face} 元', '¥{face} off from ¥{from}'], { from, face })
    return say(['立减 {face} 元', '¥{face} off'], { face })
  }
}
const rate = (part: number, of: number) =>
  of === 0 ? '—' : percent(Math.round((part / of) * 10_000))
const Line = ({ of }: { of: CouponRow }) => {
  const say = useSay()
  const worth = useWorth()
  return (
    <div className="ml-line">
      <div>
        <div className="ml-name" title={of.name}>
          {of.name}{' '}
          <Badge tone={of.status === 'active' ? 'good' : 'info'}>
            {say(couponStates[of.status as CouponState])}
          </Badge>
        </div>
        <div className="ml-meta">
          <span>
            <b>{worth(of)}</b>
          </span>
          <span>
            {say(['剩', 'Left'])} <b>{of.left}</b> / {of.total}
          </span>
          <span>
            {say(['领取率', 'Claimed'])} <b>{rate(of.claimed_count, of.total)}</b>
          </span>
          <span>
            {say(['使用率', 'Used'])} <b>{rate(of.used_count, of.claimed_count)}</b>
          </span>
          <span>
            {say(['领取', 'Claim'])} <Span from={of.claim_start_at} to={of.claim_end_at} />
          </span>
          <span>{of.coupon_no}</span>
        </div>
      </div>
    </div>
  )
}

export default function RecommendedCoupons() {
  const say = useSay()
  const worth = useWorth()
  const { me } = useWorkbench()
  const [open, setOpen] = useState<CouponRow | undefined>(undefined)
  useAction(couponActions.jumpCoupon, ([row]) => setOpen(row as CouponRow))
  return (
    <>
      <RecommendBoard<CouponRow>
        block="coupon"
        label={say(['优惠券推荐位', 'Recommended coupons'])}
        list={coupon.listRecommends}
        actions={Object.values(couponActions)}
        sort={couponActions.sort}
        sortCall={couponBoard.sort}
        nameOf={row => row.name}
        row={row => <Line of={row} />}
        onOpen={setOpen}
        flags={row =>
          row.left > 0 && row.left * 10 < row.total
            ? [{ tone: 'warn', text: say(['即将领完', 'Nearly gone']) }]
            : []
        }
      />
      <Drawer
        isOpen={open !== undefined}
        onClose={() => setOpen(undefined)}
        size={440}
        title={open?.name ?? ''}
      >
        {open && (
          <Section
            title={say(['优惠券', 'Coupon'])}
            aside={<Badge>{say(couponStates[open.status as CouponState])}</Badge>}
          >
            <Facts>
              <Fact label={say(['编号', 'Number'])}>
                {me.can(coupons.permit) ? (
                  <Link href={to(coupons, { keyword: open.coupon_no })}>{open.coupon_no}</Link>
                ) : (
                  open.coupon_no
                )}
              </Fact>
              <Fact label={say(['类型', 'Kind'])}>{say(couponKinds[open.kind as CouponKind])}</Fact>
              <Fact label={say(['优惠', 'Offer'])}>{worth(open)}</Fact>
              <Fact label={say(['面值', 'Face'])}>
                <Money cents={open.face_cents} sign />
              </Fact>
              <Fact label={say(['门槛', 'Minimum spend'])}>
                <Money cents={open.threshold_cents} sign />
              </Fact>
              <Fact label={say(['总量', 'Total'])}>{open.total}</Fact>
              <Fact label={say(['已领', 'Claimed'])}>
                {open.claimed_count}
                {say(aside, { it: rate(open.claimed_count, open.total) })}
              </Fact>
              <Fact label={say(['已用', 'Used'])}>
                {open.used_count}
                {say(aside, { it: rate(open.used_count, open.claimed_count) })}
              </Fact>
              <Fact label={say(['领取开始', 'Claim from'])}>
                <When at={open.claim_start_at} />
              </Fact>
              <Fact label={say(['领取截止', 'Claim until'])}>
                <When at={open.claim_end_at} />
              </Fact>
              <Fact label={say(['推荐人', 'Set by'])}>{open.set_by_name || '—'}</Fact>
              <Fact label={say(['推荐时间', 'Set at'])}>
                <When at={open.set_at} />
              </Fact>
              {open.blocked_reason && (
                <Fact wide label={say(['不可推荐', 'Not recommendable'])}>
                  {say(blockReasons[open.blocked_reason as BlockReason])}
                </Fact>
              )}
            </Facts>
          </Section>
        )}
      </Drawer>
    </>
  )
}
