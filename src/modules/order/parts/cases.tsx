import {
  Confirm,
  Cross,
  BankAccount,
  Endorsed,
  Inbox,
  Box,
  WarningSign,
  Undo,
  DocumentOpen,
} from '@blueprintjs/icons'
import type { ComponentType } from 'react'
import { orderEvents, payWays } from '#src/areas/order/order.ts'
import { knownFault } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import { isOpen, refundReasons, refundStates, type RefundState } from '#src/areas/refund/refund.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { imageUrl, Picture } from '#src/kit/image.tsx'
import { Badge, Money, When, duration, type ToneName } from '#src/kit/show.tsx'
import { StepBar, type BarStep } from '#src/kit/step-bar.tsx'
import { useSay } from '#src/kit/text.ts'
import type { ERefundDetail, ERefundRow } from '../contract/eRefundRow.ts'
import './eRefund.css'

/** What the files of refund cases have in common, whatever orders the cases are of. */
type Case = Pick<
  ERefundRow,
  'state' | 'type' | 'source' | 'created_at' | 'updated_at' | 'done_at' | 'deadline_at'
>
type Icon = ComponentType<{ size?: number }>
const looks: Record<RefundState, { tone: ToneName; icon: Icon }> = {
  applied: { tone: 'warn', icon: Inbox },
  second_audit: { tone: 'warn', icon: Endorsed },
  wait_return: { tone: 'info', icon: Undo },
  returning: { tone: 'info', icon: Box },
  paying: { tone: 'info', icon: BankAccount },
  pay_failed: { tone: 'bad', icon: WarningSign },
  done: { tone: 'good', icon: Confirm },
  rejected: { tone: 'plain', icon: Cross },
  closed: { tone: 'plain', icon: DocumentOpen },
}
export const CaseState = ({ state }: { state: RefundState }) => {
  const say = useSay()
  return <Badge {...looks[state]}>{say(refundStates[state])}</Badge>
}
/** The words of a code; a code that nobody knows any more stands for itself. */
export const useWord = () => {
  const say = useSay()
  return (of: Readonly<Record<string, Text>>, code: string | null, none = '—') => {
    if (code === null) return none
    return Object.hasOwn(of, code) ? say(of[code]!) : code
  }
}

type Failed = { fail_code: string | null; fail_text: string | null }
/** Why the channel did not pay back: what its code means, or what it said itself. */
export const useFault = () => {
  const say = useSay()
  return ({ fail_code, fail_text }: Failed) => {
    const known = knownFault(payFaults, fail_code)
    return known ? say(known) : (fail_text ?? '')
  }
}

const waits: readonly RefundState[] = ['applied', 'second_audit', 'wait_return', 'returning']
const SOON_S = 4 * 3600
/** How long until the clock decides, or since when it should have. */
export const TimeLeft = ({
  row,
}: {
  row: Pick<ERefundRow, 'state' | 'deadline_at' | 'updated_at'>
}) => {
  const say = useSay()
  if (!waits.includes(row.state))
    return isOpen(row.state) ? <span className="m-muted">—</span> : <When at={row.updated_at} />
  const left = row.deadline_at - unixNow()
  if (left <= 0)
    return (
      <span className="m-num m-bad">
        {say(['超时 {t}', 'Late {t}'], { t: duration(-left, say) })}
      </span>
    )
  return <span className={left < SOON_S ? 'm-num m-warn' : 'm-num'}>{duration(left, say)}</span>
}
export const Pictures = ({ of, label }: { of: readonly string[]; label: string }) =>
  of.length === 0 ? null : (
    <div className="r-pictures">
      {of.map((one, i) => (
        <a
          key={`${i}${one}`}
          href={imageUrl(one)}
          target="_blank"
          rel="noreferrer"
          aria-label={`${label} ${i + 1}`}
        >
          <Picture of={one} label={`${label} ${i + 1}`} />
        </a>
      ))}
    </div>
  )

type Stop = Omit<BarStep, 'key' | 'title'> & { title: Text }
/**
 * The way of a case: what is behind it, where it stands and until when, and what is still to come.
 */
export const Stages = ({
  of: { row, steps },
}: {
  of: { row: Case; steps: ERefundDetail['steps'] }
}) => {
  const say = useSay()
  const when = (...verbs: string[]) =>
    steps.findLast(step => step.verb !== null && verbs.includes(step.verb))?.at
  const order: readonly RefundState[] =
    row.type === 'return_refund'
      ? ['applied', 'wait_return', 'returning', 'second_audit', 'paying', 'done']
      : ['applied', 'second_audit', 'paying', 'done']
  const titles: Partial<Record<RefundState, Text>> = {
    applied: ['申请', 'Applied'],
    second_audit: ['复核', 'Second audit'],
    wait_return: ['待退货', 'To return'],
    returning: ['退货中', 'Returning'],
    paying: ['打款', 'Paying'],
    done: ['完成', 'Done'],
  }
  const ended = row.state === 'rejected' || row.state === 'closed'
  const here = row.state === 'pay_failed' ? 'paying' : row.state
  const at = order.indexOf(here)
  const times: Partial<Record<RefundState, number | undefined>> = {
    applied: row.created_at,
    wait_return: when('approveReturn'),
    returning: when('fillReturnTracking'),
    second_audit: when('secondApprove'),
    paying: when('approve', 'secondApprove', 'confirmReceive'),
    done: row.done_at ?? undefined,
  }
  const reached = (state: RefundState, i: number) =>
    ended ? times[state] !== undefined : i < at || row.state === 'done'
  const markOf = (state: RefundState, i: number): Stop['mark'] => {
    if (state === here && row.state !== 'done') return row.state === 'pay_failed' ? 'fail' : 'now'
    return reached(state, i) ? 'done' : 'todo'
  }
  const stops: Stop[] = order
    .filter(
      state =>
        state !== 'second_audit' || here === 'second_audit' || times.second_audit !== undefined,
    )
    .map(state => {
      const i = order.indexOf(state)
      return {
        title: titles[state]!,
        at: reached(state, i) ? times[state] : undefined,
        mark: markOf(state, i),
        ...(state === here && waits.includes(row.state) && { note: <TimeLeft row={row} /> }),
      } satisfies Stop
    })
  const shown = ended
    ? [
        ...stops.filter(stop => stop.mark === 'done'),
        { title: refundStates[row.state], at: row.updated_at, mark: 'stop' as const },
      ]
    : stops
  return (
    <StepBar
      label={say(['进度', 'How far it is'])}
      steps={shown.map(stop => ({ ...stop, key: stop.title[1], title: say(stop.title) }))}
    />
  )
}

const by: Readonly<Record<'member' | 'merchant' | 'staff', Text>> = {
  member: ['买家', 'Buyer'],
  merchant: ['商户', 'Merchant'],
  staff: ['平台', 'Platform'],
}
/** A reason in the buyer’s words repeats the picked one where it equals it in either language. */
const repeats = (reason: string, code: string | null): boolean =>
  Object.entries(refundReasons).some(
    ([key, words]: [string, Text]) => key === code && words.includes(reason),
  )
/** What was said, by whom: the buyer’s words first. */
export const Talk = ({
  of: { row, images, messages },
}: {
  of: Pick<ERefundDetail, 'images' | 'messages'> & {
    row: Case & { member_name: string | null; reason_code: string | null; reason: string }
  }
}) => {
  const say = useSay()
  const word = useWord()
  return (
    <ul className="r-talk">
      <li data-by={row.source === 'member' ? 'member' : 'staff'}>
        <div>
          <span>
            {row.source === 'member'
              ? (row.member_name ?? say(by.member))
              : say(['发起', 'Opened'])}
          </span>
          <When at={row.created_at} />
        </div>
        {word(refundReasons, row.reason_code, '')}
        {row.reason && !repeats(row.reason, row.reason_code) && <> · {row.reason}</>}
        <Pictures of={images} label={say(['凭证', 'Evidence'])} />
      </li>
      {messages.map((one, i) => (
        <li key={i} data-by={one.by}>
          <div>
            <span>
              {say(by[one.by])} {!by[one.by].includes(one.name) && one.name}
            </span>
            <When at={one.at} />
          </div>
          {one.text}
          <Pictures of={one.images ?? []} label={say(['图片', 'Picture'])} />
        </li>
      ))}
    </ul>
  )
}
const payoutLooks = {
  pending: ['warn', ['处理中', 'Pending']],
  success: ['good', ['成功', 'Paid']],
  failed: ['bad', ['失败', 'Failed']],
  closed: ['plain', ['已关闭', 'Closed']],
} as const satisfies Record<string, readonly [ToneName, Text]>
/** What was sent out, and how the channel took it. */
export const Payouts = ({ of }: { of: ERefundDetail['payouts'] }) => {
  const say = useSay()
  const fault = useFault()
  return (
    <ul className="r-rows">
      {of.map(one => (
        <li key={one.out_no}>
          <When at={one.at} />
          <span>
            {say(payWays[one.channel])} <span className="m-num m-muted">{one.out_no}</span>
            {one.state === 'failed' && <span className="m-bad"> {fault(one)}</span>}
          </span>
          <span>
            <Money cents={one.amount_cents} />{' '}
            <Badge tone={payoutLooks[one.state][0]}>{say(payoutLooks[one.state][1])}</Badge>
          </span>
        </li>
      ))}
    </ul>
  )
}
/** What was done with a case. */
export const Steps = ({ of }: { of: ERefundDetail['steps'] }) => {
  const say = useSay()
  return (
    <ul className="r-rows">
      {of.map((one, i) => (
        <li key={i}>
          <When at={one.at} />
          <span>
            {one.verb && Object.hasOwn(verbs, one.verb)
              ? say(verbs[one.verb]!)
              : say(orderEvents[one.event])}
            {one.memo && <span className="m-muted"> {one.memo}</span>}
          </span>
          <span className="m-muted">{one.who ?? say(actors[one.actor])}</span>
        </li>
      ))}
    </ul>
  )
}
const actors = {
  member: ['买家', 'Buyer'],
  staff: ['员工', 'Staff'],
  merchant: ['商户', 'Merchant'],
  system: ['系统', 'System'],
  channel: ['支付渠道', 'Payment channel'],
} as const satisfies Record<string, Text>
const verbs: Readonly<Record<string, Text>> = {
  approve: ['同意退款', 'Approved'],
  approvePartial: ['部分同意', 'Some parts approved'],
  approveReturn: ['同意退货', 'Return approved'],
  reject: ['拒绝', 'Rejected'],
  fillReturnTracking: ['填写退货单号', 'Return number given'],
  confirmReceive: ['确认收到退货', 'Confirm return'],
  refuseReceive: ['拒收退货', 'Goods refused'],
  changeAmount: ['协商改金额', 'Another amount agreed'],
  secondApprove: ['复核通过', 'Second approval'],
  secondReject: ['复核驳回', 'Second rejection'],
  retryPay: ['重试打款', 'Paid again'],
  offlinePay: ['转线下打款', 'To be paid by hand'],
  intervene: ['平台介入', 'The platform decides'],
  extendDeadline: ['延长时限', 'More time'],
  close: ['关闭', 'Closed'],
  remark: ['备注', 'Note'],
}
