import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { verifyKinds } from './verifier.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  verifier: {
    title: ['核销员', 'Verifier'],
    fields: {
      phone: { title: ['手机号', 'Phone'], guard: 'admin.phone' },
      kinds: { title: ['可核销类型', 'Kinds'], kind: 'enums', options: verifyKinds },
      daily_count_limit: { title: ['每日次数', 'Times a day'], kind: 'number' },
      daily_amount_limit_cents: { title: ['每日金额', 'Amount a day'], kind: 'money' },
      openid: { title: ['微信', 'WeChat'] },
      status_reason: { title: ['停用原因', 'Why off'] },
      locked_until: { title: ['锁定至', 'Locked until'], kind: 'time' },
      status: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { active: ['在用', 'On'], disabled: ['停用', 'Off'] },
      },
    },
  },
  verify_record: {
    title: ['核销记录', 'Redemption'],
    fields: {
      state: {
        title: ['状态', 'State'],
        kind: 'enum',
        options: { valid: ['有效', 'Valid'], reversed: ['已撤销', 'Taken back'] },
      },
      abnormal: { title: ['异常', 'Abnormal'], kind: 'flag' },
      settle_cents: { title: ['结算金额', 'Settled'], kind: 'money' },
      bill_no: { title: ['账单号', 'Bill no.'] },
      reversed_n: { title: ['撤销张数', 'Taken back'], kind: 'number' },
      risk_hit: { title: ['风控命中', 'Risk hit'], kind: 'number' },
    },
  },
  order_code: {
    title: ['券码', 'Code'],
    fields: { times_used: { title: ['已用次数', 'Times used'], kind: 'number' } },
  },
}
