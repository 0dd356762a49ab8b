import { configScopes, type ConfigScope } from '#src/areas/order/configScope.ts'
import { ruleFault } from '#src/areas/order/orderRuleFaults.ts'
import {
  shopScopes,
  storeScopes,
  type Sender,
  type ShopScope,
} from '#src/areas/order/orderRules.ts'
import { divisions } from '#src/areas/place/divisions.ts'
import { areasOf, areaWords, cityOfAddress } from '#src/areas/shipping/freight.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import {
  config as configCalls,
  configVersion,
  type ConfigRow,
  type ConfigVersion,
  type rulesCalls,
} from '#src/modules/order/contract/config.ts'
import {
  settings as settingsCalls,
  templateRow,
  type TemplateRow,
} from '#src/modules/order/contract/settings.ts'
import { action, ask, type Ask, type Page } from '../command.ts'
import { config, settings } from '../pages/order.ts'
import { idOf, pageAction, reason, rowActions } from '../record.ts'

/**
 * What a page of rules is about when it saves: the kind, the version it began from, and what was
 * changed in it.
 */
export type RulesNow = Pick<ConfigRow, 'id' | 'kind' | 'version_no'> & {
  fields: object
  /** What the question calls it. */ name: string
}
/**
 * A second yes, asked where rules about refunds are among what changes: the page says so by
 * `refund`.
 */
const again = {
  label: ['再次确认：退款规则将改变', 'Confirm: refund rules will change'],
  options: { yes: ['已核对，按新规则执行', 'Checked; apply the new rules'] },
  hint: [
    '只影响此后创建的订单；已有订单沿用原规则',
    'Only for orders created from now on; existing orders keep their rules',
  ],
} satisfies Parameters<typeof ask.choice>[0]
const confirm = ask.choice({ ...again, shown: answers => answers.refund === true })
const sure = (asked: object) => (asked as { confirm?: string }).confirm === 'yes'

/** The actions about rules, the same on both pages. */
export const rulesActions = (
  calls: ReturnType<typeof rulesCalls>,
  at: Page,
  stem: string,
  kinds: readonly ConfigScope[],
) => ({
  save: action(calls.save, {
    title: '保存规则',
    en: 'Save the rules',
    key: 'mod+s',
    at,
    main: true,
    asks: { reason, confirm },
    input: (rows: readonly unknown[], asked) => {
      const now = rows[0] as RulesNow
      return {
        kind: now.kind,
        version_no: now.version_no,
        fields: now.fields,
        reason: asked.reason,
        confirm: sure(asked),
      }
    },
  }),
  simulate: action(`${stem}.simulate`, {
    title: '试算影响',
    en: 'Preview impact',
    key: 't',
    at,
    main: true,
    permit: calls.simulate.permit,
  }),
  diff: action(`${stem}.diff`, { title: '对比改动', en: 'Compare', key: 'd', at }),
  history: action(`${stem}.history`, {
    title: '变更历史',
    en: 'History',
    key: 'v',
    at,
    permit: calls.history.permit,
  }),
  copyFrom: action(`${stem}.copyFrom`, {
    title: '从其他类型复制',
    en: 'Copy from another kind',
    key: 'shift+c',
    at,
    permit: calls.save.permit,
    asks: {
      kind: ask.choice({
        label: ['复制自', 'Copy from'],
        options: Object.fromEntries(kinds.map(kind => [kind, configScopes[kind]])),
        hint: [
          '只填入两类订单共有的规则，保存前可再改',
          'Fills in what both kinds have; nothing is saved yet',
        ],
      }),
    },
  }),
  rollback: action(calls.rollback, {
    title: '回滚到此版本',
    en: 'Roll back to this version',
    key: 'b',
    danger: true,
    at,
    on: configVersion,
    takes: 'row',
    when: (row: ConfigVersion): true | Text => {
      if (!('back' in row))
        return ['请先在变更历史里选择一个版本', 'Choose a version in the history first']
      if (row.state === 'current') return ['这是当前版本', 'This is the current version']
      return row.back.length > 0 || ['与当前规则相同', 'Its rules are the same as the current ones']
    },
    asks: { reason, confirm },
    input: (rows, asked) => ({
      kind: rows[0]!.kind,
      version_no: (asked as unknown as { version_no: number }).version_no,
      to: rows[0]!.version_no,
      reason: asked.reason,
      confirm: sure(asked),
    }),
  }),
})
export const configActions = rulesActions(configCalls, config, 'order.config', storeScopes)

const typedAreas = (typed: string): Text | undefined => {
  const { areas, unknown } = areasOf(typed)
  return unknown.length > 0
    ? [
        `无法识别：${unknown.slice(0, 5).join('、')}`,
        `Not known: ${unknown.slice(0, 5).join(', ')}`,
      ]
    : ruleFault('no_delivery', areas)
}
/** What a rule asked for by itself is about: the kind, its version, and what stands there now. */
export type AreasNow = {
  id: number
  name: string
  kind: ShopScope
  version_no: number
  no_delivery: readonly string[]
}
export type SenderNow = {
  id: number
  name: string
  kind: ShopScope
  version_no: number
  at: number | null
  sender: Sender | undefined
}
const now = <T>(rows: readonly unknown[]) => rows[0] as T | undefined
const kept = { shown: (answers: { remove?: boolean }) => answers.remove !== true }
const senderOf = (rows: readonly unknown[]) => now<SenderNow>(rows)?.sender
const isTemplate = (row: TemplateRow): true | Text =>
  'mode' in row ? true : ['请先在「运费模板」里选择一个模板', 'Choose a freight template first']

const template = rowActions(settings, templateRow)

/** What a sender is asked for, while it is kept; each begins with what stands there now. */
const ofSender = <T extends Ask>(field: keyof Sender, of: T): T => ({
  initial: (rows: readonly unknown[]) => senderOf(rows)?.[field] || undefined,
  ...of,
  ...kept,
})
const senderFields = {
  name: ofSender('name', ask.text({ label: ['寄件人', 'Sender'], max: 32 })),
  phone: ofSender('phone', ask.text({ label: ['电话', 'Phone'], max: 30, check: phoneFault })),
  city: ofSender(
    'area',
    ask.text({
      label: ['寄件城市', 'City'],
      max: 40,
      region: { level: 'city' },
      check: typed =>
        cityOfAddress(typed) ? undefined : ['没有这个城市', 'There is no such city'],
      initial: rows => divisions.get(senderOf(rows)?.area ?? '')?.city_name,
    }),
  ),
  address: ofSender('address', ask.text({ label: ['详细地址', 'Address'], max: 120 })),
  courier: ofSender(
    'courier',
    ask.text({ label: ['快递公司', 'Courier'], max: 32, optional: true }),
  ),
  customer_no: ofSender(
    'customer_no',
    ask.text({ label: ['月结账号', 'Billing account'], max: 40, optional: true }),
  ),
  is_default: ofSender(
    'is_default',
    ask.flag({
      label: ['设为默认', 'Set as default'],
      initial: rows => senderOf(rows)?.is_default ?? false,
    }),
  ),
}
export const settingsActions = {
  ...rulesActions(settingsCalls, settings, 'order.settings', shopScopes),
  setNoDelivery: action(settingsCalls.setNoDelivery, {
    title: '设置不配送区域',
    en: 'Set no-delivery areas',
    key: 'shift+x',
    at: settings,
    asks: {
      areas: ask.text({
        label: ['不配送区域', 'No-delivery areas'],
        max: 2000,
        lines: 3,
        optional: true,
        hint: [
          '写省或城市名，用顿号隔开，如「西藏、新疆、舟山」；留空为全部配送',
          'Provinces or cities in Chinese, comma-separated; empty: deliver everywhere',
        ],
        check: typedAreas,
        initial: rows => {
          const is = now<AreasNow>(rows)
          return is && is.no_delivery.length > 0 ? areaWords(is.no_delivery) : undefined
        },
      }),
      reason,
    },
    input: (rows: readonly unknown[], asked) => {
      const is = now<AreasNow>(rows)!
      return {
        kind: is.kind,
        version_no: is.version_no,
        areas: areasOf(asked.areas ?? '').areas,
        reason: asked.reason,
      }
    },
  }),
  setSender: action(settingsCalls.setSender, {
    title: '设置寄件人',
    en: 'Set a sender',
    key: 'i',
    at: settings,
    asks: {
      ...senderFields,
      remove: ask.flag({
        label: ['删除此寄件人', 'Delete this sender'],
        shown: answers => answers.known === true,
      }),
      reason,
    },
    input: (rows: readonly unknown[], asked) => {
      const is = now<SenderNow>(rows)!
      const { city, remove, reason: why, ...sender } = asked
      return {
        kind: is.kind,
        version_no: is.version_no,
        at: is.at,
        reason: why,
        sender: remove
          ? null
          : {
              ...sender,
              area: cityOfAddress(city) ?? '',
              courier: sender.courier ?? '',
              customer_no: sender.customer_no ?? '',
            },
      }
    },
  }),
  addTemplate: pageAction(settingsCalls.addTemplate, ['新增运费模板', 'New template'], settings, {
    key: 'c',
    main: true,
  }),
  editTemplate: template.row(settingsCalls.editTemplate, ['编辑运费模板', 'Edit the template'], {
    key: 'e',
    main: true,
    when: isTemplate,
  }),
  copyTemplate: template.row(settingsCalls.copyTemplate, ['复制运费模板', 'Copy the template'], {
    when: isTemplate,
    asks: {
      name: ask.text({
        label: ['新模板名称', 'New template name'],
        max: 64,
        initial: rows => (rows[0] ? `${rows[0].name.slice(0, 60)} 副本` : undefined),
      }),
    },
    input: (rows, asked) => ({ ...idOf(rows), ...asked }),
  }),
  delTemplate: template.del(settingsCalls.delTemplate, ['删除运费模板', 'Delete the template'], {
    when: row => {
      if (isTemplate(row) !== true || row.used === 0) return isTemplate(row)
      return [`${row.used} 个在售商品正在使用`, `${row.used} products on sale use it`]
    },
  }),
  calcFreight: template.row('order.settings.calcFreight', ['试算运费', 'Test freight'], {
    key: 'f',
    main: true,
    when: isTemplate,
    permit: settingsCalls.calcFreight.permit,
    asks: {
      area: ask.text({
        label: ['收货地区', 'To'],
        max: 120,
        region: { level: 'district' },
        check: value =>
          cityOfAddress(value)
            ? undefined
            : ['无法识别，请从省市写起', 'Not recognised: begin with province and city'],
      }),
      qty: ask.number({ label: ['件数', 'Pieces'], min: 1, max: 10_000, initial: () => 1 }),
      price: ask.money({
        label: ['单价', 'Unit price'],
        min: 0,
        max: 100_000_000,
        initial: () => 5000,
      }),
      weight: ask.number({
        label: ['每件重量（克）', 'Unit weight (g)'],
        min: 1,
        max: 1_000_000,
        optional: true,
      }),
      volume: ask.number({
        label: ['每件体积（立方厘米）', 'Unit volume (cm³)'],
        min: 1,
        max: 10_000_000,
        optional: true,
      }),
    },
  }),
}
