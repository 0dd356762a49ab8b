import { moveStates } from '#src/areas/ecard/cardOrder.ts'
import { ticketProviders, ticketStates } from '#src/areas/film/film.ts'
import type { FieldWord, ObjectWord } from '#src/areas/log/objectWord.ts'
import { bindStates } from '#src/areas/member/visitor.ts'
import { refundStates } from '#src/areas/refund/refund.ts'
import { orderStatuses, timesAskStates } from './order.ts'
import { type RuleField, ruleFields } from './orderRuleFields.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  order: {
    title: ['订单', 'Order'],
    fields: {
      frozen: { title: ['冻结', 'Frozen'], kind: 'flag' },
      freeze_reason: { title: ['冻结原因', 'Why frozen'] },
      status: { title: ['状态', 'State'], kind: 'enum', options: orderStatuses },
      refund_state: {
        title: ['退款', 'Refund'],
        kind: 'enum',
        options: {
          none: ['无', 'None'],
          refunding: ['退款中', 'Open'],
          part_refunded: ['部分退款', 'In part'],
          refunded: ['已退款', 'Refunded'],
        },
      },
      refund_no: { title: ['退款单号', 'Refund no.'] },
      refund_status: { title: ['退款进度', 'Refund is'], kind: 'enum', options: refundStates },
      amount_cents: { title: ['退款金额', 'Amount'], kind: 'money' },
      valid_until: { title: ['有效期至', 'Valid until'], kind: 'time' },
      codes_sent: { title: ['重发券码', 'Codes sent'], kind: 'number' },
      redeemed_times: { title: ['代核销次数', 'Uses redeemed'], kind: 'number' },
      record_id: { title: ['核销记录', 'Redemption'], kind: 'number' },
      reversed_record: { title: ['撤销核销', 'Redemption taken back'], kind: 'number' },
      times_bonus: { title: ['补偿次数', 'Uses given on top'], kind: 'number' },
      bill_no: { title: ['账单号', 'Bill no.'] },
      bill_cents: { title: ['账单金额', 'Bill'], kind: 'money' },
      reversed_n: { title: ['撤销张数', 'Taken back'], kind: 'number' },
      risk_hit: { title: ['风控命中', 'Risk hit'], kind: 'number' },
      cards: { title: ['卡尾号', 'Cards'] },
      cards_asked: { title: ['重新发放张数', 'Asked for again'], kind: 'number' },
      cards_issued: { title: ['已发放张数', 'Issued'], kind: 'number' },
      move_state: { title: ['变更持卡人', 'Change of holder'], kind: 'enum', options: moveStates },
      notice: { title: ['发放通知', 'Notice'], kind: 'flag' },
      gifts_recalled: { title: ['撤回转赠', 'Gifts recalled'], kind: 'number' },
      tags: { title: ['标签', 'Tags'], kind: 'list' },
      balance_until: { title: ['尾款期限', 'Balance until'], kind: 'time' },
      deposit_back: { title: ['退定金', 'Deposit given back'], kind: 'flag' },
      tracking_no: { title: ['快递单号', 'Tracking no.'] },
      pay_cents: { title: ['应付', 'Due'], kind: 'money' },
      receive_by: { title: ['自动收货', 'Auto-received'], kind: 'time' },
      reissue_no: { title: ['补发订单', 'Sent again as'] },
      print: { title: ['打印', 'Printed'] },
      receiver_name: { title: ['收货人', 'Receiver'], guard: 'order.receiver_name' },
      receiver_phone: { title: ['收货电话', 'Receiver’s phone'], guard: 'order.receiver_phone' },
      receiver_area: { title: ['收货地区', 'Receiver’s place'] },
      receiver_address: {
        title: ['收货地址', 'Receiver’s address'],
        guard: 'order.receiver_address',
      },
      bind_state: { title: ['绑定', 'Binding'], kind: 'enum', options: bindStates },
      times_state: { title: ['补偿申请', 'Uses asked for'], kind: 'enum', options: timesAskStates },
      times_asked: { title: ['申请补偿', 'Uses asked for'], kind: 'number' },
      store_agreed: { title: ['门店同意', 'Store’s consent'] },
      ready_at: { title: ['备好时间', 'Ready at'], kind: 'time' },
      dispatched_at: { title: ['出发时间', 'Set out at'], kind: 'time' },
      rider: { title: ['骑手', 'Rider'] },
      promise_at: { title: ['承诺时间', 'Promised for'], kind: 'time' },
      store_id: { title: ['门店', 'Store'], kind: 'name', of: 'store' },
      receiver_changed: { title: ['修改的收货信息', 'Changed of the receiver'], kind: 'list' },
      reminded_at: { title: ['催促时间', 'Urged at'], kind: 'time' },
      points_back: { title: ['退回积分', 'Points given back'], kind: 'number' },
      issue_no: { title: ['发放号', 'Issue no.'] },
      printed_slips: { title: ['打印备货单', 'Slips printed'], kind: 'number' },
      invoice_no: { title: ['发票号', 'Invoice no.'] },
      invoice_cents: { title: ['开票金额', 'Invoiced'], kind: 'money' },
      part: { title: ['子项', 'Part'] },
      policy_override: { title: ['政策例外', 'Exception from the policy'], kind: 'flag' },
      ticket_state: { title: ['出票', 'Tickets'], kind: 'enum', options: ticketStates },
      ticket_provider: {
        title: ['出票渠道', 'Ticket provider'],
        kind: 'enum',
        options: ticketProviders,
      },
      coupon_name: { title: ['补偿优惠券', 'Coupon given'] },
      note: { title: ['备注', 'Note'] },
    },
  },
  order_config: {
    title: ['订单规则', 'Order rules'],
    fields: Object.fromEntries(
      Object.entries<RuleField>(ruleFields).map(([name, field]): [string, FieldWord] => [
        name,
        field.kind === 'choice'
          ? { title: field.title, kind: 'enum', options: field.options }
          : {
              title: field.title,
              kind: (
                {
                  number: 'number',
                  money: 'money',
                  percent: 'percent',
                  flag: 'flag',
                  days: 'list',
                  areas: 'list',
                  senders: 'list',
                } as const
              )[field.kind],
            },
      ]),
    ),
  },
}
