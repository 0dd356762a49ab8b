import {
  contactTypes,
  hoursFault,
  hoursTyped,
  hoursWritten,
  scenes,
  wecomAccount,
  type ContactType,
  type Scene,
} from '#src/areas/content/contact.ts'
import { placeholdersOf, shareTypes, unknownPlaceholders } from '#src/areas/content/shareCard.ts'
import {
  BATCH_TEXT_MAX,
  batchFault,
  batchRows,
  channelFault,
  expiryFault,
  h5Can,
  type H5Verb,
} from '#src/areas/link/h5Link.ts'
import { linkTypes, paramsOf, paramsText } from '#src/areas/link/pageLink.ts'
import {
  agreementCan,
  agreementTypes,
  type AgreementType,
  type AgreementVerb,
} from '#src/areas/merchant/agreement.ts'
import { linkOptions } from '#src/contract/link.ts'
import { isCallable } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { unixNow } from '#src/domain/time.ts'
import { contactRow, customer as contactCalls } from '#src/modules/system/contract/customer.ts'
import { h5link as h5Calls, h5Row, type H5Row } from '#src/modules/system/contract/h5link.ts'
import { hlink as linkCalls, linkRow } from '#src/modules/system/contract/hlink.ts'
import { ruleRow, rules as ruleCalls, type RuleRow } from '#src/modules/system/contract/rules.ts'
import { share as shareCalls, shareRow, type ShareRow } from '#src/modules/system/contract/share.ts'
import { action, ask, called } from '../command.ts'
import { customer, h5link, hlink, rules, share } from '../pages/system.ts'
import { citiesAsk, cityAsk, mallAsk } from '../places.ts'
import {
  arrangeAction,
  asking,
  createAction,
  exportAction,
  formOf,
  idOf,
  idsOf,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'
import { linkAsks, linked } from './link.ts'

const linkForm = formOf(
  {
    name: ask.text({ label: ['名称', 'Name'], max: 64 }),
    type: ask.choice({
      label: ['类型', 'Type'],
      options: linkTypes,
      initial: rows => rows[0]?.type ?? 'page',
    }),
    path: ask.text({
      label: ['路径', 'Path'],
      max: 255,
      hint: [
        '小程序路径以 pages/ 或分包前缀开头，{id} 处填参数；H5 为白名单域名的 https 地址',
        'Paths begin with pages/ or a package prefix, {id} marks a parameter; H5: an https address of an allowed domain',
      ],
    }),
    appid: ask.text({
      label: ['AppID', 'AppID'],
      max: 18,
      shown: answers => answers.type === 'mini_program',
      check: value =>
        /^wx[0-9a-f]{16}$/.test(value)
          ? undefined
          : ['wx 开头的 18 位', '18 characters beginning with wx'],
    }),
    params: ask.text({
      label: ['参数', 'Parameters'],
      max: 1000,
      optional: true,
      lines: 3,
      hint: [
        '每行一个：参数名 说明 类型(text/store/mall/product/category) 必填 =固定值，如“id 门店 store 必填 =17”',
        'One a line: key label target(text/store/mall/product/category) required =fixed, such as “id store store required =17”',
      ],
      initial: rows => (rows[0]?.params ? paramsText(rows[0].params) : undefined),
      check: typed => {
        const read = paramsOf(typed)
        return 'bad' in read
          ? [`无法识别这一行：${read.bad}`, `Can’t read: ${read.bad}`]
          : undefined
      },
    }),
  },
  ({ name, type, path, appid, params }) => {
    const read = paramsOf(params ?? '')
    return {
      name,
      type,
      path,
      appid: type === 'mini_program' ? (appid ?? '') : '',
      params: 'params' in read ? read.params : [],
    }
  },
)
const link = rowActions(hlink, linkRow)
const otherLink = {
  label: ['替换为', 'Replace with'],
  find: linkOptions,
  labelOf: (row: { name: string; path: string }) => `${row.name} · ${row.path}`,
} as const
export const hlinkActions = {
  create: createAction(linkCalls.create, ['新增链接', 'New link'], hlink, linkForm),
  edit: link.edit(linkCalls.edit, ['编辑链接', 'Edit link'], linkForm),
  check: link.row(linkCalls.check, ['检测链接', 'Check link'], {
    key: 't',
    main: true,
    input: idOf,
  }),
  batchCheck: link.row(linkCalls.batchCheck, ['批量检测', 'Check selected'], {
    key: 'shift+t',
    takes: 'rows',
    most: 200,
    input: idsOf,
  }),
  whereUsed: link.row(linkCalls.whereUsed, ['查看引用位置', 'Where it is used'], { key: 'u' }),
  replace: link.row(linkCalls.replace, ['替换引用', 'Replace everywhere'], {
    key: 'r',
    danger: true,
    when: row => row.used_count > 0 || ['没有被引用', 'Not used anywhere'],
    asks: {
      new_link_id: ask.entity({
        ...otherLink,
        hint: [
          '已发布的装修页面会立即换用新链接并生成新版本',
          'Published pages switch to it at once, as a new version',
        ],
      }),
      reason,
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  disable: link.disable(linkCalls.disable, {
    asks: {
      new_link_id: ask.entity({
        ...otherLink,
        optional: true,
        hint: ['有在线内容使用时必须选择', 'Required while live content uses it'],
      }),
    },
  }),
  enable: link.enable(linkCalls.enable),
  getMpImg: link.row('system.hlink.getMpImg', ['生成小程序码', 'Mini-program code'], {
    key: 'm',
    alias: ['二维码', 'QR'],
  }),
  export: exportAction(linkCalls.export, ['导出链接库', 'Export links'], hlink),
}

const shareAt = { at: share, on: shareRow, takes: 'row' } as const
called(shareRow, ({ page_type, city_name }) => {
  const [zh, en] = shareTypes[page_type]
  return city_name ? [`${zh} · ${city_name}`, `${en} · ${city_name}`] : [zh, en]
})
const place = (rows: readonly ShareRow[]) => ({
  page_type: rows[0]!.page_type,
  city_id: rows[0]!.city_id,
  version: rows[0]!.version,
})
export const shareActions = {
  save: action(shareCalls.save, {
    title: '保存分享设置',
    en: 'Save card',
    key: 'e',
    ...shareAt,
    main: true,
    asks: {
      title: ask.text({
        label: ['标题模板', 'Title'],
        max: 120,
        initial: rows => rows[0]?.title_tpl,
        hint: [
          '可用占位符见右侧预览；超过 30 个汉字会被截断',
          'See the preview for placeholders; cut after 30 double-byte characters',
        ],
      }),
      image: ask.images({
        label: ['分享图片（5:4）', 'Picture (5:4)'],
        max: 1,
        ratio: [5, 4],
        optional: true,
        initial: rows => (rows[0]?.image ? [rows[0].image] : undefined),
      }),
      background: ask.images({
        label: ['海报背景', 'Poster background'],
        max: 1,
        optional: true,
        initial: rows => (rows[0]?.poster.background ? [rows[0].poster.background] : undefined),
      }),
      on: ask.flag({
        label: [
          '启用（关闭后使用上一级的设置）',
          'Enabled (off: falls back to the more general card)',
        ],
        initial: rows => rows[0]?.status !== 'off',
      }),
    },
    input: (rows, asked) => ({
      ...place(rows),
      title_tpl: asked.title,
      image: asked.image?.[0] ?? '',
      poster: {
        ...rows[0]!.poster,
        ...(asked.background?.[0] ? { background: asked.background[0] } : {}),
      },
      status: asked.on ? ('on' as const) : ('off' as const),
    }),
  }),
  preview: action(shareCalls.preview, {
    title: '预览分享效果',
    en: 'Preview',
    key: 'p',
    ...shareAt,
    asks: {
      object: ask.number({
        label: ['对象编号', 'Object ID'],
        min: 1,
        max: 2_147_483_647,
        optional: true,
        hint: [
          '商场、门店或商品的编号；留空取一个在架的',
          'ID of a mall, store or product; empty: any on sale',
        ],
      }),
      title: ask.text({
        label: ['试用的标题', 'Title to try'],
        max: 120,
        optional: true,
        initial: rows => rows[0]?.title_tpl,
      }),
    },
  }),
  setReward: action(shareCalls.setReward, {
    title: '设置分享奖励',
    en: 'Set the reward',
    key: 'r',
    ...shareAt,
    asks: {
      reward_points: ask.number({
        label: ['每位新访客奖励积分', 'Points per visitor'],
        min: 0,
        max: 100_000,
        initial: rows => rows[0]?.reward_points,
        hint: [
          '只计不同的访客，不含分享人自己的设备；0 为不奖励',
          'Distinct visitors only, never the sharer’s own devices; 0 for none',
        ],
      }),
      daily_limit: ask.number({
        label: ['每人每日上限（次）', 'Daily limit per member (times)'],
        min: 0,
        max: 10_000,
        initial: rows => rows[0]?.daily_limit,
      }),
      reward_budget: ask.number({
        label: ['总预算（积分）', 'Total budget (points)'],
        min: 0,
        max: 2_000_000_000,
        initial: rows => rows[0]?.reward_budget,
      }),
    },
    input: (rows, asked) => ({ ...place(rows), ...asked }),
  }),
  restoreDefault: action(shareCalls.restoreDefault, {
    title: '恢复默认',
    en: 'Restore default',
    danger: true,
    ...shareAt,
    when: row => row.version > 0 || ['已是默认', 'Already the default'],
    input: place,
  }),
  copyToCities: action(shareCalls.copyToCities, {
    title: '应用到城市',
    en: 'Apply to cities',
    key: 'y',
    ...shareAt,
    when: row => row.version > 0 || ['还没有保存过', 'Not saved yet'],
    asks: {
      cities: citiesAsk({ max: 100 }),
    },
    input: (rows, asked) => ({
      page_type: rows[0]!.page_type,
      city_id: rows[0]!.city_id,
      city_ids: asked.cities,
    }),
  }),
  getMpImg: action('system.share.getMpImg', {
    title: '生成带参小程序码',
    en: 'Mini-program code',
    key: 'm',
    ...shareAt,
  }),
}
/** What a card's title may not say, in the words of its page type. */
export const titleFault = (template: string, type: ShareRow['page_type']): Text | undefined => {
  const unknown = unknownPlaceholders(template, type)
  return unknown.length
    ? [
        `没有占位符 ${unknown.map(name => `{${name}}`).join(' ')}，可用：${placeholdersOf[type].map(name => `{${name}}`).join(' ')}`,
        `No placeholder ${unknown.map(name => `{${name}}`).join(' ')}; there are: ${placeholdersOf[type].map(name => `{${name}}`).join(' ')}`,
      ]
    : undefined
}

const contact = rowActions(customer, contactRow)
called(contactRow, ({ scene, type, value }) => [
  `${scenes[scene][0]} ${contactTypes[type][0]} ${value}`,
  `${scenes[scene][1]} · ${contactTypes[type][1]} ${value}`,
])
/** A mall of the city that another question has for its answer. */
const mallOf = (city: string) =>
  mallAsk({
    optional: true,
    shown: answers => Boolean(answers[city]),
    given: (_, answers) => ({ city_id: answers[city] }),
  })
const valueTyped = (value: string, { type }: { type?: ContactType }): Text | undefined => {
  if (type === 'phone' && !isCallable(value))
    return ['请填写手机号、400 或座机号码', 'A mobile, 400 or landline number']
  if (type === 'wecom' && !wecomAccount(value))
    return [
      '请填写 https://work.weixin.qq.com/kfid/kfc… 形式的链接',
      'A link such as https://work.weixin.qq.com/kfid/kfc…',
    ]
  return undefined
}
const isWecom = ({ type }: { type?: ContactType }) => type === 'wecom'
const contactReply = { label: ['非工作时间回复', 'Out-of-hours reply'], max: 255 } as const
const contactForm = formOf(
  {
    scene: ask.choice({ label: ['场景', 'Scene'], options: scenes }),
    type: ask.choice({ label: ['方式', 'Kind'], options: contactTypes }),
    city_id: cityAsk({ optional: true, hint: ['留空为全国', 'Empty: national'] }),
    mall_id: mallOf('city_id'),
    value: ask.text({
      label: ['号码、链接或客服分组', 'Number, link or chat group'],
      max: 128,
      optional: true,
      check: valueTyped,
    }),
    qr: ask.images({
      label: ['二维码', 'QR'],
      max: 1,
      ratio: [1, 1],
      optional: true,
      shown: isWecom,
    }),
    expires_at: ask.time({ label: ['二维码到期', 'QR expires'], optional: true, shown: isWecom }),
    hours: ask.text({
      label: ['工作时间', 'Working hours'],
      max: 600,
      optional: true,
      lines: 3,
      hint: [
        '每行一段：1-5 09:00-18:00（1 为周一）；留空为全天',
        'One span per line: 1-5 09:00-18:00 (1 is Monday); empty: always',
      ],
      initial: rows => (rows[0]?.hours ? hoursWritten(rows[0].hours) : undefined),
      check: typed => {
        const read = hoursTyped(typed)
        return read ? hoursFault(read) : ['写成 1-5 09:00-18:00 的形式', 'Such as 1-5 09:00-18:00']
      },
    }),
    auto_reply: ask.text({ ...contactReply, optional: true, lines: 2 }),
  },
  ({ scene, type, city_id, mall_id, value, qr, expires_at, hours, auto_reply }) => ({
    scene,
    type,
    city_id: city_id ?? 0,
    mall_id: city_id ? (mall_id ?? 0) : 0,
    value: value ?? '',
    qr: type === 'wecom' ? (qr?.[0] ?? '') : '',
    expires_at: type === 'wecom' ? (expires_at ?? null) : null,
    hours: hoursTyped(hours ?? '') ?? [],
    auto_reply: auto_reply ?? '',
  }),
)
/** The contacts of one scene and place in their order, as the page gives them to be arranged. */
export type ContactGroup = Arranged & {
  name: string
  scene: Scene
  city_id: number
  mall_id: number
}
export const customerActions = {
  create: createAction(contactCalls.create, ['新增客服渠道', 'New contact'], customer, contactForm),
  edit: contact.edit(contactCalls.edit, ['编辑客服渠道', 'Edit contact'], contactForm, {
    main: true,
  }),
  sort: arrangeAction(
    contactCalls.sort,
    ['调整优先级', 'Arrange priorities'],
    customer,
    ({ scene, city_id, mall_id }: ContactGroup) => ({ scene, city_id, mall_id }),
  ),
  testRoute: pageAction(contactCalls.testRoute, ['试算客服路由', 'Try the routing'], customer, {
    key: 't',
    main: true,
    asks: {
      scene: ask.choice({ label: ['场景', 'Scene'], options: scenes }),
      city: cityAsk(),
      mall: mallOf('city'),
      time: ask.time({
        label: ['时间', 'Time'],
        optional: true,
        hint: ['留空为现在', 'Empty: now'],
      }),
    },
  }),
  setAutoReply: contact.row(
    contactCalls.setAutoReply,
    ['设置非工作时间回复', 'Set the out-of-hours reply'],
    {
      key: 'r',
      asks: {
        text: ask.text({
          ...contactReply,
          optional: true,
          lines: 3,
          initial: rows => rows[0]?.auto_reply,
        }),
      },
      input: asking(({ text }) => ({ text: text ?? '' })),
    },
  ),
  enable: contact.enable(contactCalls.enable, { key: 'o' }),
  disable: contact.disable(contactCalls.disable),
  del: contact.del(contactCalls.del, ['删除客服渠道', 'Delete contact']),
}

const ruleAt = { at: rules, on: ruleRow, takes: 'row' } as const
called(ruleRow, ({ type, version_no }) => {
  const [zh, en] = agreementTypes[type]
  return [`${zh} V${version_no}`, `${en} V${version_no}`]
})
const ruleCan =
  (verb: AgreementVerb) =>
  (row: RuleRow): true | Text =>
    agreementCan(verb, row, unixNow())
const later = (at: number | undefined): Text | undefined =>
  at === undefined || at > unixNow() ? undefined : ['生效时间不能早于现在', 'The time has passed']
const ruleFields = {
  content: ask.text({
    label: ['正文（HTML）', 'Text (HTML)'],
    max: 65_535,
    lines: 12,
    hint: [
      '可用标题、段落、列表、表格与链接；脚本、表单与内嵌页面会被拒绝',
      'Headings, paragraphs, lists, tables and links; scripts, forms and frames are refused',
    ],
    initial: rows => rows[0]?.content,
  }),
  force_consent: ask.flag({
    label: ['要求会员重新同意', 'Ask members to consent again'],
    initial: rows => rows[0]?.force_consent,
  }),
  summary: ask.text({
    label: ['变更摘要', 'Summary of changes'],
    max: 255,
    optional: true,
    lines: 2,
    hint: [
      '要求重新同意时必填，会员在弹窗中看到它',
      'Required when members must consent again; shown to them',
    ],
    initial: rows => rows[0]?.summary,
  }),
  effective_at: ask.time({
    label: ['计划生效时间', 'Planned for'],
    optional: true,
    hint: ['留空则发布后立即生效', 'Empty: as soon as it is published'],
    initial: rows => rows[0]?.effective_at ?? undefined,
    check: later,
  }),
}
const ruleInput = (asked: {
  content: string
  force_consent: boolean
  summary?: string
  effective_at?: number | undefined
}) => ({
  content: asked.content,
  force_consent: asked.force_consent,
  summary: asked.summary ?? '',
  effective_at: asked.effective_at ?? null,
})
export const rulesActions = {
  create: action(ruleCalls.create, {
    title: '新增版本',
    en: 'New version',
    key: 'c',
    at: rules,
    main: true,
    asks: { type: ask.choice({ label: ['类型', 'Type'], options: agreementTypes }), ...ruleFields },
    input: (_, asked) => ({ type: asked.type as AgreementType, ...ruleInput(asked) }),
  }),
  edit: action(ruleCalls.edit, {
    title: '编辑草稿',
    en: 'Edit the draft',
    key: 'e',
    ...ruleAt,
    main: true,
    when: ruleCan('edit'),
    asks: ruleFields,
    input: (rows, asked) => ({ ...one(rows), ...ruleInput(asked) }),
  }),
  diff: action('system.rules.diff', {
    title: '对比版本',
    en: 'Compare versions',
    key: 'd',
    permit: ruleCalls.diff.permit,
    ...ruleAt,
    main: true,
    asks: {
      other: ask.entity({
        label: ['与哪个版本对比', 'Compare with'],
        find: ruleCalls.versions,
        labelOf: row => row.version_no,
        given: rows => ({ type: rows[0]?.type, but: rows[0]?.id }),
      }),
    },
  }),
  publish: action(ruleCalls.publish, {
    title: '发布',
    en: 'Publish',
    key: 'p',
    danger: true,
    ...ruleAt,
    main: true,
    when: ruleCan('publish'),
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), reason: asked.reason }),
  }),
  schedule: action(ruleCalls.schedule, {
    title: '定时生效',
    en: 'Schedule',
    key: 's',
    ...ruleAt,
    when: ruleCan('schedule'),
    asks: {
      effective_at: ask.time({
        label: ['生效时间', 'Takes effect'],
        initial: rows => rows[0]?.effective_at ?? undefined,
        check: later,
      }),
    },
    input: (rows, asked) => ({ ...one(rows), effective_at: asked.effective_at! }),
  }),
  withdraw: action(ruleCalls.withdraw, {
    title: '撤回未生效版本',
    en: 'Withdraw',
    danger: true,
    ...ruleAt,
    when: ruleCan('withdraw'),
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), reason: asked.reason }),
  }),
  preview: action('system.rules.preview', {
    title: '手机预览',
    en: 'Phone preview',
    key: 'v',
    permit: ruleCalls.preview.permit,
    ...ruleAt,
  }),
  export: action(ruleCalls.export, {
    title: '导出同意记录',
    en: 'Export consents',
    key: 'shift+e',
    at: rules,
  }),
}

const h5At = { at: h5link, on: h5Row, takes: 'row' } as const
const h5When =
  (verb: H5Verb) =>
  (row: H5Row): true | Text =>
    h5Can(verb, row.status)
const h5Name = ask.text({ label: ['名称', 'Name'], max: 64, initial: rows => rows[0]?.name })
const h5Channel = ask.text({
  label: ['渠道标识', 'Channel'],
  max: 32,
  hint: ['小写字母、数字与下划线，如 sms_0618', 'a–z, 0–9 and _, such as sms_0618'],
  initial: rows => rows[0]?.channel,
  check: channelFault,
})
const h5Until = ask.time({
  label: ['到期时间', 'Until'],
  hint: [
    '超过微信链接期限时，由跳转页自动续期',
    'Beyond the lifetime of WeChat links, the redirect page renews them',
  ],
  check: at => (at === undefined ? undefined : expiryFault(at, unixNow())),
})
const h5Again = ask.flag({
  label: [
    '同一渠道已有相同目标时仍然生成',
    'Create even if the channel already links to this target',
  ],
  initial: () => false,
})
// Asked whenever the form is drawn, and a table may have thousands of lines: the last one is read
// once.
let lastTable: { typed: string; fault: Text | undefined } | undefined
const h5Fault = (typed: string): Text | undefined => {
  if (lastTable?.typed !== typed) lastTable = { typed, fault: batchFault(batchRows(typed)) }
  return lastTable.fault
}
export const h5linkActions = {
  create: action(h5Calls.create, {
    title: '生成短链',
    en: 'New short link',
    key: 'c',
    at: h5link,
    main: true,
    asks: {
      name: ask.text({ label: ['名称', 'Name'], max: 64 }),
      ...linkAsks,
      channel: { ...h5Channel, initial: () => undefined } as typeof h5Channel,
      expire_at: h5Until,
      again: h5Again,
    },
    input: (_, asked) => {
      const { page_link_id, link_params } = linked(asked)
      return {
        name: asked.name,
        page_link_id,
        params: link_params,
        channel: asked.channel,
        expire_at: asked.expire_at!,
        again: asked.again,
      }
    },
  }),
  batchCreate: action(h5Calls.batchCreate, {
    title: '批量生成',
    en: 'Import short links',
    key: 'i',
    at: h5link,
    main: true,
    asks: {
      file: ask.text({
        label: ['表格内容', 'Table'],
        max: BATCH_TEXT_MAX,
        lines: 10,
        hint: [
          '每行：名称,链接编号,参数,渠道,到期日。如“端午短信,12,id=17,sms_0618,2027-06-30”；超过 500 行转为后台任务，最多 50000 行',
          'One per line: name, link ID, parameters, channel, expiry, such as “June SMS,12,id=17,sms_0618,2027-06-30”; over 500 lines run as a job, up to 50,000',
        ],
        check: h5Fault,
      }),
      again: h5Again,
    },
    input: (_, asked) => ({ file: asked.file, again: asked.again }),
  }),
  edit: action(h5Calls.edit, {
    title: '编辑名称与渠道',
    en: 'Edit name and channel',
    key: 'e',
    ...h5At,
    asks: { name: h5Name, channel: h5Channel },
    input: (rows, asked) => ({ ...one(rows), name: asked.name, channel: asked.channel }),
  }),
  getQrImg: action('system.h5link.getQrImg', {
    title: '下载二维码',
    en: 'QR',
    key: 'm',
    ...h5At,
    main: true,
  }),
  stop: action(h5Calls.stop, {
    title: '停用',
    en: 'Stop',
    danger: true,
    ...h5At,
    when: h5When('stop'),
    asks: { reason },
    input: (rows, asked) => ({ ...one(rows), reason: asked.reason }),
  }),
  renew: action(h5Calls.renew, {
    title: '续期',
    en: 'Renew',
    key: 'r',
    ...h5At,
    main: true,
    when: h5When('renew'),
    asks: { expire_at: h5Until },
    input: (rows, asked) => ({ ...one(rows), expire_at: asked.expire_at! }),
  }),
  stat: action('system.h5link.stat', {
    title: '查看效果',
    en: 'Results',
    key: 't',
    permit: h5Calls.stat.permit,
    ...h5At,
  }),
  export: action(h5Calls.export, {
    title: '导出短链数据',
    en: 'Export short links',
    key: 'shift+e',
    at: h5link,
  }),
}
