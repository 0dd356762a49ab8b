import {
  EXEMPT_DAYS_MOST,
  limitDimensions,
  limitedKinds,
  limitLevels,
  limitScopes,
  limitWays,
  limitWindows,
  QTY_MOST,
  SCOPES_MOST,
  type LimitScope,
} from '#src/areas/limit/rule.ts'
import { mallPicker } from '#src/contract/malls.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import {
  groupActivity as calls,
  ruleRow,
  type RuleRow,
} from '#src/modules/groupActivity/contract/index.ts'
import { ask, inAll, type Asked } from '../command.ts'
import { limitRules } from '../pages/groupActivity.ts'
import {
  arrangeAction,
  asking,
  createAction,
  exportAction,
  formOf,
  idsOf,
  one,
  reason,
  rowActions,
} from '../record.ts'

type Answers = { scope_kind?: LimitScope; qty?: number; by_level?: boolean }
const about = (kind: LimitScope) => (answers: Answers) => answers.scope_kind === kind
const nameOf = (row: { name: string }) => row.name
const namedIn = ([row]: readonly RuleRow[]) =>
  Object.fromEntries((row?.scope ?? []).map(({ id, name }) => [id, name]))
/** What stands in a rule of that kind of scope; a question of another kind begins empty. */
const idsIn = (kind: LimitScope) => (rows: readonly RuleRow[]) =>
  rows[0]?.scope_kind === kind ? rows[0].scope.map(one => one.id) : undefined
const scopeOf = { max: SCOPES_MOST, labelOf: nameOf, named: namedIn, field: 'scope_ids' }
const level = (at: (typeof limitLevels)[number]) =>
  ask.number({
    label: [`V${at} 件数`, `Pieces for V${at}`],
    min: 0,
    max: QTY_MOST,
    optional: true,
    shown: (answers: Answers) => answers.by_level === true,
    initial: (rows: readonly RuleRow[]) => rows[0]?.level_qty[at],
    field: 'level_qty',
  })
const asks = {
  name: ask.text({
    label: ['名称', 'Name'],
    min: 2,
    max: 60,
    hint: ['顾客被拦截时会看到', 'Shown to blocked buyers'],
  }),
  product_kind: ask.choice({ label: ['商品类型', 'Kind of product'], options: limitedKinds }),
  scope_kind: ask.choice({ label: ['范围', 'Scope'], options: limitScopes }),
  product_ids: ask.entities({
    label: ['商品', 'Products'],
    ...scopeOf,
    find: calls.products,
    given: (_, answers) => ({ kind: answers.product_kind }),
    shown: about('product'),
    initial: idsIn('product'),
  }),
  store_ids: ask.entities({
    label: ['门店', 'Stores'],
    ...scopeOf,
    find: calls.stores,
    shown: about('store'),
    initial: idsIn('store'),
  }),
  category_ids: ask.entities({
    label: ['类目（含下级）', 'Categories (with subcategories)'],
    ...scopeOf,
    find: calls.categories,
    given: (_, answers) => ({ kind: answers.product_kind }),
    shown: about('category'),
    initial: idsIn('category'),
  }),
  mids: ask.entities({
    label: ['商场', 'Malls'],
    ...scopeOf,
    find: mallPicker,
    key: 'mid',
    shown: about('mall'),
    initial: idsIn('mall'),
  }),
  ways: ask.choices({
    label: ['活动', 'Activities'],
    options: limitWays,
    shown: about('activity'),
    initial: (rows: readonly RuleRow[]) => rows[0]?.ways,
  }),
  dimension: ask.choice({
    label: ['限购维度', 'Counted by'],
    options: limitDimensions,
    hint: [
      '付款人在付款时判断，其余在下单时判断',
      'Payers are checked at payment, others when ordering',
    ],
  }),
  per: ask.choice({
    label: ['周期', 'Window'],
    options: limitWindows,
    hint: ['周从周一开始，月为自然月', 'Weeks start on Monday; months are calendar months'],
  }),
  qty: ask.number({
    label: ['限购件数', 'Quantity'],
    min: 0,
    max: QTY_MOST,
    hint: ['0 为不可购买，须勾选确认', '0: can’t be bought; must be confirmed'],
  }),
  by_level: ask.flag({
    label: ['按会员等级另设件数', 'Quantities by member level'],
    initial: rows => Object.keys(rows[0]?.level_qty ?? {}).length > 0,
  }),
  level_1: level('1'),
  level_2: level('2'),
  level_3: level('3'),
  level_4: level('4'),
  level_5: level('5'),
  zero_ok: ask.flag({
    label: ['确认 0 件即不可购买', 'Confirm: 0 means it can’t be bought'],
    shown: (answers: Answers) =>
      answers.qty === 0 ||
      (answers.by_level === true &&
        Object.entries(answers).some(([key, n]) => key.startsWith('level_') && n === 0)),
  }),
  return_on_refund: ask.flag({
    label: ['退款后返还额度', 'Refunds restore the allowance'],
    initial: (rows: readonly RuleRow[]) => rows[0]?.return_on_refund ?? true,
  }),
  start_at: ask.time({
    label: ['开始时间', 'From'],
    initial: (rows: readonly RuleRow[]) => rows[0]?.start_at ?? unixNow(),
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    initial: (rows: readonly RuleRow[]) => rows[0]?.end_at ?? unixNow() + 30 * DAY,
    check: (end, answers: { start_at?: number }) =>
      end !== undefined && answers.start_at !== undefined && end <= answers.start_at
        ? ['结束须晚于开始', 'Must be after the start']
        : undefined,
  }),
}
const idsAsked = (asked: Partial<Asked<typeof asks>>): number[] => {
  switch (asked.scope_kind) {
    case 'product':
      return asked.product_ids ?? []
    case 'store':
      return asked.store_ids ?? []
    case 'category':
      return asked.category_ids ?? []
    case 'mall':
      return asked.mids ?? []
    default:
      return []
  }
}
const form = formOf(asks, asked => ({
  name: asked.name,
  product_kind: asked.product_kind,
  scope_kind: asked.scope_kind,
  scope_ids: idsAsked(asked),
  ways: asked.scope_kind === 'activity' ? (asked.ways as (keyof typeof limitWays)[]) : [],
  dimension: asked.dimension,
  per: asked.per,
  qty: asked.qty,
  level_qty: asked.by_level
    ? Object.fromEntries(
        limitLevels.flatMap(at => {
          const n = asked[`level_${at}`] as number | undefined
          return n === undefined ? [] : [[at, n]]
        }),
      )
    : {},
  zero_ok: asked.zero_ok ?? false,
  return_on_refund: asked.return_on_refund,
  start_at: asked.start_at!,
  end_at: asked.end_at!,
}))
export const memberAsk = ask.entity({
  label: ['会员', 'Member'],
  find: calls.members,
  by: ['手机号、会员号或昵称', 'phone, member ID or nickname'],
  labelOf: (row: { name: string; uid: string; phone?: string }) =>
    `${row.name} · ${row.phone ?? row.uid}`,
})
export const daysAsk = ask.number({
  label: ['豁免天数', 'Days'],
  min: 1,
  max: EXEMPT_DAYS_MOST,
  initial: () => 7,
  hint: ['到期自动失效，对之后的订单生效', 'Expires automatically; applies to later orders'],
})
const row = rowActions(limitRules, ruleRow)
const isOn = ({ status }: RuleRow) => status === 'on' || (['已停用', 'Already disabled'] as const)

/** What is done with the rules of purchase limits. */
export const limitRuleActions = {
  create: createAction(calls.create, ['新增限购', 'New limit'], limitRules, form),
  edit: row.edit(calls.edit, ['编辑限购', 'Edit limit'], form, { main: true }),
  test: row.row('groupActivity.index.test', ['试算会员可购数', 'Check allowance'], {
    key: 't',
    main: 'plain',
    permit: calls.test.permit,
    when: ({ product_kind }) =>
      product_kind !== 'ecard' || [
        '试算只针对商品；电子卡的限购请看限购记录',
        'Checks products only; for e-cards see the limit records',
      ],
    asks: {
      member_id: memberAsk,
      product_id: ask.entity({
        label: ['商品', 'Product'],
        find: calls.products,
        labelOf: nameOf,
        initial: (rows: readonly RuleRow[]) => idsIn('product')(rows)?.[0],
        named: (rows: readonly RuleRow[]) =>
          rows[0]?.scope_kind === 'product' ? rows[0].scope[0]?.name : undefined,
      }),
    },
  }),
  exempt: row.row(calls.exempt, ['添加豁免会员', 'Exempt a member'], {
    key: 'm',
    asks: { member_id: memberAsk, days: daysAsk, reason },
    input: asking(asked => asked),
  }),
  copy: row.row(calls.copy, ['复制限购', 'Copy limit'], {
    key: 'shift+c',
    asks: {
      name: ask.text({
        label: ['新名称', 'New name'],
        min: 2,
        max: 60,
        initial: rows => rows[0] && `${rows[0].name.slice(0, 55)} 副本`,
        hint: ['复制出的规则为停用', 'The copy is disabled'],
      }),
    },
    input: asking(asked => asked),
  }),
  enable: row.enable(calls.enable, {
    key: 'o',
    when: ({ status, end_at }) => {
      if (status === 'on') return ['已启用', 'Already enabled']
      return end_at > unixNow() || ['有效期已过，请先延长', 'Expired: extend it first']
    },
  }),
  disable: row.disable(calls.disable, { key: 'd' }),
  batchDisable: row.row(calls.batchDisable, ['批量停用', 'Disable selected'], {
    key: 'shift+d',
    danger: true,
    takes: 'rows',
    most: 100,
    tells: inAll,
    when: isOn,
    asks: { reason },
    input: (rows, asked) => ({ ...idsOf(rows), ...asked }),
  }),
  sort: arrangeAction(calls.sort, ['调整优先级', 'Arrange rules'], limitRules, () => ({})),
  del: row.del(calls.del, ['删除限购', 'Delete limit'], {
    when: ({ status, hits }) =>
      status === 'off' ||
      hits === 0 || ['启用中且有拦截记录，请先停用', 'It has blocked purchases: disable it first'],
    input: one,
  }),
  export: exportAction(calls.export, ['导出限购规则', 'Export limits'], limitRules),
}
