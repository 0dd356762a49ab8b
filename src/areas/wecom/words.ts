import type { ObjectWord } from '#src/areas/log/objectWord.ts'
import { joinStates } from './groups.ts'
import { sendStates } from './sending.ts'
import { tagStates } from './tagging.ts'
import { receiveKinds, syncKinds, transferKinds } from './wecom.ts'

/** What the operation log calls the objects of this area and their fields. */
export const logged: Readonly<Record<string, ObjectWord>> = {
  wecom_department: {
    title: ['企微部门', 'WeCom department'],
    fields: {
      mid: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      priority: { title: ['优先级', 'Priority'], kind: 'number' },
      lead_userid: { title: ['负责人', 'Lead'] },
      receive: { title: ['接待范围', 'Receives'], kind: 'enum', options: receiveKinds },
      receive_userids: { title: ['接待成员', 'Receivers'], kind: 'list' },
    },
  },
  wecom_sync: {
    title: ['企微同步', 'WeCom sync'],
    fields: { kind: { title: ['内容', 'Of'], kind: 'enum', options: syncKinds } },
  },
  wecom_event: {
    title: ['企微事件', 'WeCom event'],
    fields: { retried: { title: ['重新处理', 'Tried again'] } },
  },
  wecom_tag: {
    title: ['客户标签', 'Customer tag'],
    fields: {
      name: { title: ['名称', 'Name'] },
      group_id: { title: ['标签组', 'Group'], kind: 'number' },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: tagStates },
      auto_rule: { title: ['自动打标规则', 'Automatic rule'] },
      replaced_by_id: { title: ['替换为', 'Replaced by'], kind: 'number' },
      merged: { title: ['并入的标签', 'Merged into it'] },
      moved: { title: ['涉及客户', 'Customers'], kind: 'number' },
      days: { title: ['回溯天数', 'Days back'], kind: 'number' },
      customers: { title: ['客户数', 'Customers'], kind: 'number' },
    },
  },
  wecom_tag_group: {
    title: ['标签组', 'Group of tags'],
    fields: {
      name: { title: ['名称', 'Name'] },
      sort: { title: ['排序', 'Order'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: tagStates },
      order: { title: ['标签顺序', 'Order of its tags'] },
    },
  },
  wecom_send: {
    title: ['企业群发', 'WeCom text'],
    fields: {
      status: { title: ['状态', 'State'], kind: 'enum', options: sendStates },
      stopped: { title: ['未发送人数', 'Not sent to'], kind: 'number' },
    },
  },
  wecom_staff: {
    title: ['企微成员', 'WeCom colleague'],
    fields: {
      admin_id: { title: ['后台账号', 'Console account'], kind: 'name', of: 'admin' },
      daily_add_cap: { title: ['每日加好友上限', 'New contacts a day'], kind: 'number' },
      transfer: { title: ['转接方式', 'Hand-over'], kind: 'enum', options: transferKinds },
      to: { title: ['接收成员', 'Receiver'] },
      customers: { title: ['客户数', 'Customers'], kind: 'number' },
      groups: { title: ['客户群数', 'Group chats'], kind: 'number' },
      code: { title: ['专属活码', 'Contact code'] },
    },
  },
  wecom_group: {
    title: ['企微客户群', 'WeCom group chat'],
    fields: {
      mall_id: { title: ['商场', 'Mall'], kind: 'name', of: 'mall' },
      owner: { title: ['群主', 'Owner'] },
      group_tags: { title: ['群标签', 'Tags of the chat'] },
      notice_draft: { title: ['群公告草稿', 'Draft of the notice'] },
      join_code: { title: ['入群活码', 'Join code'] },
      auto_create: { title: ['自动建群', 'Makes further chats'], kind: 'flag' },
      room_base_name: { title: ['新群名称', 'Their name'] },
      mass: { title: ['群发内容', 'Text sent'] },
      send_at: { title: ['发送时间', 'When'], kind: 'time' },
      matched: { title: ['新关联会员', 'Newly matched'], kind: 'number' },
      doubled: { title: ['重复入群客户', 'In several chats'], kind: 'number' },
      removal: { title: ['提醒移除', 'To be removed'] },
      max_members: { title: ['人数上限', 'Holds at most'], kind: 'number' },
      tags: { title: ['客户标签', 'Tags of its people'] },
      tagged: { title: ['打标签人数', 'Tagged'], kind: 'number' },
    },
  },
  wecom_join_way: {
    title: ['群活码', 'Group-join code'],
    fields: {
      name: { title: ['名称', 'Name'] },
      auto_create: { title: ['自动建群', 'Makes further chats'], kind: 'flag' },
      base_name: { title: ['新群名称', 'Their name'] },
      base_id: { title: ['起始编号', 'Their next number'], kind: 'number' },
      room_low: { title: ['切换线（剩余空位）', 'Turns with places left'], kind: 'number' },
      staff_code_id: { title: ['满员时引导', 'Offered when full'], kind: 'number' },
      status: { title: ['状态', 'State'], kind: 'enum', options: joinStates },
      join_chats: { title: ['轮换群', 'Chats'] },
      join_current: { title: ['当前群', 'Leads to'] },
      synced: { title: ['同步群数据', 'Read anew'], kind: 'flag' },
    },
  },
  wecom_customer: {
    title: ['企微客户', 'WeCom customer'],
    fields: {
      member_id: { title: ['会员', 'Member'], kind: 'name', of: 'member' },
      remark: { title: ['备注', 'Remark'] },
      description: { title: ['描述', 'Description'] },
      attrs: { title: ['客户属性', 'Attributes'] },
      tags: { title: ['企业标签', 'Tags'] },
      untagged: { title: ['移除标签', 'Tags taken off'] },
      adviser: { title: ['跟进成员', 'Adviser'] },
      to: { title: ['接收成员', 'Receiver'] },
      coupon: { title: ['优惠券', 'Coupon'] },
      quantity: { title: ['张数', 'Pieces'], kind: 'number' },
      note: { title: ['跟进记录', 'Note'] },
      mass: { title: ['群发内容', 'Text sent'] },
      send_at: { title: ['发送时间', 'When'], kind: 'time' },
      refreshed: { title: ['刷新资料', 'Read anew'], kind: 'flag' },
      next_at: { title: ['下次跟进', 'Next'], kind: 'time' },
    },
  },
}
