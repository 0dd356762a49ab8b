import type { Action, TakenBack } from './command.ts'

const words = (text: string) => text.split(' ')
/** What takes back actions that run at once and have no undo, by their verb, or by their whole id. */
const byVerb = new Map<string, TakenBack>([
  ...words(
    'enable enableRule pause resume lock unlock unbanIp toggleVisible toggleKeepAlive setDefault online publish publishReplay on off show hide pick remove claim unclaim recommend unrecommend batchRecommend batchUnrecommend setHot setRecommend cancel batchCancel clearAbnormal',
  ).map(verb => [verb, 'opposite'] as const),
  ...words(
    'export rerun retry sendNow testSend syncRoutes syncRooms check batchCheck recheckImage queryPay refreshTrack claimNext resendCode resendNotice remind batchRemind remindBalance printWaybill batchPrint printSlip',
  ).map(verb => [verb, 'again'] as const),
  // What has the same verb as others, and no opposite.
  ...words('system.exportLogs.cancel order.combo.refund.claim order.eRefund.claim').map(
    id => [id, 'final'] as const,
  ),
  // A colleague is told, goods are on their way, or money is: no one key brings that back.
  ...words(
    'ack batchAck confirmReady confirmDelivered replace approve secondApprove batchApprove retryPay retryRefund batchRetryRefund batchReissue',
  ).map(verb => [verb, 'final'] as const),
])
/** How an action is taken back; undefined for one of which nobody has said so. */
export const takenBack = (action: Action): TakenBack | undefined => {
  if (action.call?.kind !== 'write') return 'nothing'
  if (action.call.undo) return 'undo'
  if (action.danger || Object.keys(action.asks ?? {}).length > 0) return 'asked'
  if (action.takenBack) return action.takenBack
  return action.input
    ? (byVerb.get(action.id) ?? byVerb.get(action.id.slice(action.id.lastIndexOf('.') + 1)))
    : 'form'
}
