import type { Text } from '#src/domain/text.ts'

/**
 * Why a payment channel refused, by the channel's own code: WeChat Pay's, and `no_channel` where
 * none is set up.
 */
export const payFaults: Readonly<Record<string, Text>> = {
  no_channel: ['未配置支付渠道', 'No payment channel is set up'],
  NOT_ENOUGH: [
    '商户账户余额不足，充值后重试',
    'The merchant account has too little money; top it up and try again',
  ],
  USER_ACCOUNT_ABNORMAL: [
    '用户账户异常或已注销，请转线下打款',
    'The payer’s account is closed or abnormal; pay offline',
  ],
  ABNORMAL: [
    '退款到账异常，银行卡可能已作废，请转线下打款',
    'The money could not be credited, the card may be void; pay offline',
  ],
  CLOSED: ['渠道已关闭这笔单', 'The channel has closed it'],
  INVALID_REQUEST: [
    '请求与渠道的记录不符，或可退金额不足',
    'It does not fit the channel’s books, or more than is left to refund',
  ],
  RESOURCE_NOT_EXISTS: ['渠道没有这笔单', 'The channel does not know it'],
  PARAM_ERROR: ['参数不被渠道接受', 'The channel does not accept the parameters'],
  MCH_NOT_EXISTS: ['商户号不存在', 'There is no such merchant number'],
  NO_AUTH: ['商户号没有这项权限', 'The merchant number may not do this'],
  SIGN_ERROR: [
    '签名错误，请核对商户证书与密钥',
    'The signature is wrong; check certificate and key',
  ],
  REQUEST_BLOCKED: ['请求被渠道拦截', 'The channel blocks the request'],
  TRADE_OVERDUE: [
    '订单已超过一年，不能原路退回，请转线下打款',
    'Older than a year: it can’t go back the way it came; pay offline',
  ],
  REVOKED: ['付款已撤销', 'The payment was revoked'],
  PAYERROR: ['付款失败', 'The payment failed'],
}
