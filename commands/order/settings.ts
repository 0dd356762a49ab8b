import { configScopes, storeScopes, type ConfigScope } from '#src/domain/orderRules.ts'
import type { Text } from '#src/domain/text.ts'
import { config as configCalls, configVersion, type ConfigRow, type ConfigVersion, type rulesCalls } from '#src/modules/order/contract/config.ts'
import { action, ask, page, type Page } from '../command.ts'

export const config = page('/manage/order/config', '到店订单规则', 'In-store order rules', { object: 'order_config', keys: 'g o r', alias: ['支付时限', '自动退款', '结算冻结', 'order config', 'pay timeout'] })

/** What a page of rules is about when it saves: the kind, the version it began from, and what was changed in it. */
export type RulesNow = Pick<ConfigRow, 'id' | 'kind' | 'version_no'> & { fields: object }
const reason = ask.text({ label: ['原因', 'Reason'], max: 255, min: 2, lines: 2 })
/** A second yes, asked where rules about refunds are among what changes: the page says so by `refund`. */
const confirm = ask.choice({ label: ['再次确认：退款规则将改变', 'Once more: rules about refunds change'], options: { yes: ['已核对，按新规则执行', 'I have checked it: go on'] }, hint: ['只影响此后创建的订单；已有订单沿用原规则', 'Only orders made from now on; those made before keep their rules'], shown: answers => answers.refund === true })
const sure = (asked: object) => (asked as { confirm?: string }).confirm === 'yes'

/** The actions about rules, the same on both pages. */
export const rulesActions = (calls: ReturnType<typeof rulesCalls>, at: Page, stem: string, kinds: readonly ConfigScope[]) => ({
  save: action(calls.save, { title: '保存规则', en: 'Save the rules', key: 'mod+s', at, main: true, asks: { reason, confirm }, input: (rows: readonly unknown[], asked) => { const now = rows[0] as RulesNow; return { kind: now.kind, version_no: now.version_no, fields: now.fields, reason: asked.reason, confirm: sure(asked) } } }),
  simulate: action(`${stem}.simulate`, { title: '试算影响', en: 'Who is affected', key: 't', at, main: true, permit: calls.simulate.permit }),
  diff: action(`${stem}.diff`, { title: '对比改动', en: 'Compare', key: 'd', at }),
  history: action(`${stem}.history`, { title: '变更历史', en: 'History', key: 'v', at, permit: calls.history.permit }),
  copyFrom: action(`${stem}.copyFrom`, { title: '从其他类型复制', en: 'Copy from another kind', key: 'c', at, permit: calls.save.permit, asks: { kind: ask.choice({ label: ['复制自', 'Copy from'], options: Object.fromEntries(kinds.map(kind => [kind, configScopes[kind]])), hint: ['只填入两类订单共有的规则，保存前可再改', 'Fills in what both kinds have; nothing is saved yet'] }) } }),
  rollback: action(calls.rollback, { title: '回滚到此版本', en: 'Go back to this version', key: 'b', danger: true, at, on: configVersion, takes: 'row',
    when: (row: ConfigVersion): true | Text => (!('back' in row) ? ['请先在变更历史（V）里选择一个版本', 'Choose a version in the history (V) first'] : row.state === 'current' ? ['这是当前版本', 'This is the present version'] : row.back.length === 0 ? ['与当前规则相同', 'Its rules are the present ones'] : true),
    asks: { reason, confirm }, input: (rows, asked) => ({ kind: rows[0]!.kind, version_no: (asked as unknown as { version_no: number }).version_no, to: rows[0]!.version_no, reason: asked.reason, confirm: sure(asked) }) }),
})
export const configActions = rulesActions(configCalls, config, 'order.config', storeScopes)
