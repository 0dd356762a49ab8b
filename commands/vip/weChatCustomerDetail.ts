import { customerCan, type CustomerVerb } from '#src/areas/wecom/wecom.ts'
import { aside, say, type Lang } from '#src/domain/text.ts'
import {
  customerDetail as calls,
  customerDetailRow,
  type CustomerDetailRow,
} from '#src/modules/vip/contract/weChatCustomerDetail.ts'
import { customersPage } from '#src/modules/vip/contract/weChatCustomerList.ts'
import { ask, byKeyword, recordFinder } from '../command.ts'
import { customerPage as at } from '../pages/vip.ts'
import { asking, one, reason, rowActions } from '../record.ts'
import { customerNotice, receiverAsk, tagsAsk } from '../wecom.ts'

type Row = CustomerDetailRow
const row = rowActions(at, customerDetailRow)
const can = (verb: CustomerVerb) => (of: Row) =>
  of.others
    ? ([
        '客户由其他商场的成员跟进，仅可查看',
        'Followed by another mall’s staff: view only',
      ] as const)
    : customerCan(verb, of)
const follow = ask.entity({
  label: ['跟进成员', 'Adviser'],
  find: calls.follows,
  given: rows => ({ of: rows[0]?.id }),
  labelOf: (of: { name: string; place: string }, lang: Lang) =>
    of.place ? `${of.name}${say(aside, lang, { it: of.place })}` : of.name,
  field: 'adviser',
  initial: ([of]: readonly Row[]) => of?.advisers[0]?.follow_id,
  named: ([of]: readonly Row[]) => of?.advisers[0]?.name,
  none: ['没有你能看到的跟进成员', 'No adviser you can see'],
})

/** What is done on the page of one customer. */
export const customerDetailActions = {
  addFollow: row.row(calls.addFollow, ['添加跟进记录', 'Add a note'], {
    key: 'n',
    main: true,
    when: can('addFollow'),
    asks: {
      content: ask.text({ label: ['内容', 'Note'], max: 500, lines: 4, field: 'note' }),
      next_at: ask.time({
        label: ['下次跟进', 'Next follow-up'],
        optional: true,
        hint: ['须在现在之后；留空为不提醒', 'Must be later than now; empty: no reminder'],
      }),
    },
    input: asking(({ content, next_at }) => ({ content, ...(next_at && { next_at }) })),
  }),
  transfer: row.row(calls.transfer, ['转接给其他成员', 'Transfer to another adviser'], {
    key: 'y',
    main: 'plain',
    when: can('transfer'),
    asks: {
      follow_id: follow,
      to_staff_id: receiverAsk(calls.receivers),
      notice: customerNotice,
      reason,
    },
    input: asking(({ notice, ...asked }) => ({ ...asked, ...(notice && { notice }) })),
  }),
  grantCoupon: row.row(calls.grantCoupon, ['发放优惠券', 'Issue a coupon'], {
    key: 'c',
    main: 'plain',
    when: can('grantCoupon'),
    asks: {
      coupon_id: ask.entity({
        label: ['优惠券', 'Coupon'],
        find: calls.coupons,
        labelOf: (of: { name: string; left: number }, lang: Lang) =>
          `${of.name}${say(aside, lang, { it: of.left })}`,
        by: ['名称或编号', 'name or number'],
        field: 'coupon',
        hint: ['括号内为剩余张数；发放 1 张', 'Issues 1; coupons left in brackets'],
        none: ['没有正在发放的优惠券', 'No coupon is being issued'],
      }),
      reason,
    },
    input: asking(asked => asked),
  }),
  tag: row.row(calls.tag, ['打标签', 'Add tags'], {
    key: 't',
    main: 'plain',
    when: can('tag'),
    asks: {
      follow_id: follow,
      tag_ids: tagsAsk(customersPage.tags, [
        '企微按成员分别记录标签',
        'WeCom keeps tags per adviser',
      ]),
    },
    input: asking(asked => asked),
  }),
  remark: row.row(calls.remark, ['修改备注', 'Change the remark'], {
    key: 'e',
    when: can('remark'),
    asks: {
      follow_id: follow,
      remark: ask.text({
        label: ['备注', 'Remark'],
        max: 20,
        initial: ([of]: readonly Row[]) => of?.remark,
        hint: [
          '企微按成员分别记录备注，由企微确认后生效',
          'WeCom keeps remarks per adviser; takes effect once WeCom confirms',
        ],
      }),
    },
    input: asking(asked => asked),
  }),
  syncOne: row.row(calls.syncOne, ['刷新资料', 'Refresh'], {
    key: 's',
    when: can('syncOne'),
    input: one,
    takenBack: 'again',
  }),
}
export const customerFound = recordFinder({
  pages: [at],
  hint: [
    '按客户或会员昵称开头、会员号查找',
    'By start of customer or member nickname, or member number',
  ],
  find: customersPage.lst,
  asked: byKeyword,
  given: of => ({ type: 'wecom_customer', id: of.id, row: of }),
  title: of => of.name,
  more: of => [of.member?.uid ?? '未关联会员', of.member?.uid ?? 'No member'],
  byId: 'wecom_customer',
})
