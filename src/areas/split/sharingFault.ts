import { refusalWords } from '#src/areas/payment/channelWords.ts'
import { payFaults } from '#src/areas/payment/payFault.ts'
import type { Text } from '#src/domain/text.ts'

/** Why the channel did not share with one, by its own code; what holds for payments holds here. */
export const sharingFaults: Readonly<Record<string, Text>> = {
  ...payFaults,
  ACCOUNT_ABNORMAL: ['接收方账户异常或已注销', 'The receiver’s account is closed or abnormal'],
  NO_RELATION: ['未添加为分账接收方', 'It was never added as a receiver'],
  RECEIVER_HIGH_RISK: ['接收方有高风险，渠道拒绝', 'The channel refuses the receiver as risky'],
  RECEIVER_REAL_NAME_NOT_VERIFIED: ['接收方未实名', 'The receiver’s identity is not verified'],
  NAME_MISMATCH: ['接收方姓名与实名不符', 'The receiver’s name is not the verified one'],
  RECEIVER_RECEIPT_LIMIT: ['接收方已达收款限额', 'The receiver is above its limit'],
  PAYER_ACCOUNT_ABNORMAL: [
    '商户的渠道账户异常',
    'The merchant’s account at the channel is abnormal',
  ],
  NOT_ENOUGH: ['可分余额不足', 'Too little is left to share'],
  RULE_LIMIT: ['超过渠道分账上限', 'Above the channel’s ceiling'],
  TIME_OUT_CLOSED: ['渠道处理超时，已关闭', 'The channel took too long and closed it'],
  ORDER_FINISHED: ['渠道已解冻剩余资金，不能再分', 'The rest is unfrozen: nothing more is shared'],
}
/** What a code of profit sharing means, as a row keeps it (`unjoined`); `own`: the channel's words. */
export const sharingFault = (code: string, own = ''): string =>
  refusalWords(sharingFaults, code, own)
