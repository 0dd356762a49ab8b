import type { Text } from '#src/domain/text.ts'
import {
  hitRow,
  limitHits as calls,
  type HitRow,
} from '#src/modules/groupActivity/contract/record.ts'
import { ask, called } from '../command.ts'
import { limitHits } from '../pages/groupActivity.ts'
import { exportAction, idOf, pageAction, reason, rowActions } from '../record.ts'
import { daysAsk } from './rules.ts'

const row = rowActions(limitHits, hitRow)
called(hitRow, of => `${of.nickname} · ${of.product_title}`)
const visitor: Text = ['访客没有会员账号', 'A visitor has no account']

/** What is done with purchases that a limit stopped. */
export const limitHitActions = {
  viewRule: row.row('groupActivity.record.viewRule', ['查看命中规则', 'View rule'], {
    key: 'v',
    main: 'plain',
    permit: calls.viewRule.permit,
    when: ({ rule_said }: HitRow) =>
      rule_said !== null || ['商品自带限购，没有规则', 'The product’s own limit, not a rule'],
  }),
  openOrders: row.row('groupActivity.record.openOrders', ['查看已购订单', 'View orders'], {
    key: 'o',
    main: 'plain',
    permit: calls.orders.permit,
  }),
  exempt: row.row(calls.exempt, ['豁免该会员', 'Exempt the member'], {
    key: 'm',
    main: true,
    when: ({ member_id, rule_id, exempt_until }: HitRow) => {
      if (member_id === null) return visitor
      if (rule_id === null)
        return ['商品自带限购不能豁免', 'A product’s own limit has no exemptions']
      return exempt_until === null || ['已豁免', 'Already exempt']
    },
    asks: { days: daysAsk, reason },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  addList: row.row(calls.addList, ['加入黑名单', 'Add to blacklist'], {
    key: 'b',
    danger: true,
    when: ({ member_id, black }: HitRow) => {
      if (member_id === null) return visitor
      return !black || ['已在黑名单中', 'Already on the blacklist']
    },
    asks: {
      days: ask.number({ label: ['天数', 'Days'], min: 1, max: 365, initial: () => 90 }),
      reason,
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  ranking: pageAction('groupActivity.record.ranking', ['限购排行', 'Most limited'], limitHits, {
    key: 'p',
  }),
  export: exportAction(calls.export, ['导出限购记录', 'Export'], limitHits),
}
