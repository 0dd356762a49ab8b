import { payFaults } from '#src/areas/payment/payFault.ts'
import type { Text } from '#src/domain/text.ts'

/** Why a transfer failed in the channel's books: these are for good. */
const ended: Readonly<Record<string, Text>> = {
  ACCOUNT_FROZEN: ['收款账户被冻结', 'The payee’s account is frozen'],
  ACCOUNT_NOT_EXIST: ['收款账户不存在', 'The payee’s account does not exist'],
  PAYEE_ACCOUNT_ABNORMAL: ['收款账户异常', 'The payee’s account is abnormal'],
  NAME_NOT_CORRECT: ['收款人实名不符', 'The payee’s real name differs'],
  REAL_NAME_CHECK_FAIL: ['收款人未实名认证', 'The payee’s identity is not verified'],
  OPENID_INVALID: ['收款用户与商户号不符', 'The payee’s id is not of this merchant number'],
  DAY_RECEIVED_QUOTA_EXCEED: ['超过当日限额', 'Above the payee’s limit of the day'],
  DAY_RECEIVED_COUNT_EXCEED: ['超过当日收款次数', 'Too many to this payee today'],
  REALNAME_ACCOUNT_RECEIVED_QUOTA_EXCEED: [
    '收款账户超过年度限额',
    'Above the payee’s limit of the year',
  ],
  TRANSFER_QUOTA_EXCEED: ['超过单笔限额', 'Above the limit of one transfer'],
  TRANSFER_RISK: ['渠道判定有风险，已拦截', 'The channel stopped it as risky'],
  MERCHANT_REJECT: ['商户在渠道后台拒绝', 'Refused in the channel’s own console'],
  PAYER_ACCOUNT_ABNORMAL: ['商户号账户异常', 'The merchant account is abnormal'],
  OTHER_FAIL_REASON_TYPE: ['渠道未说明原因', 'The channel gives no reason'],
}
/** Why a transfer was refused before the channel wrote it down, beside those of payments. */
const refused: Readonly<Record<string, Text>> = {
  NOT_ENOUGH: ['账户余额不足', 'The merchant account has too little money'],
  ALREADY_EXISTS: ['单号已用于另一笔转账', 'The number is of another transfer'],
}
/** Whether a code says that the channel's books hold the number as failed for good. */
export const endsBill = (code: string): boolean => code in ended
/** What the codes of a transfer channel mean. */
export const transferFaults: Readonly<Record<string, Text>> = { ...payFaults, ...refused, ...ended }
