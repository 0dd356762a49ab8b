import {
  namesFault,
  RULE_BACK_DAYS,
  RULE_PLACES_MOST,
  RULE_WORDS_MOST,
  tagCan,
  tagRuleKinds,
  TAGS_AT_ONCE,
  TAG_NAME_MAX,
  type TagVerb,
} from '#src/areas/wecom/tagging.ts'
import { joinedNames, type Text } from '#src/domain/text.ts'
import { customerTags as calls, tagRow, type TagRow } from '#src/modules/customer/contract/tags.ts'
import { ask, type Told } from '../command.ts'
import { customerTagsPage as at } from '../pages/customer.ts'
import { pageAction, reason, rowActions } from '../record.ts'

const row = rowActions(at, tagRow)
type Rows = readonly TagRow[]
const can = (verb: TagVerb) => (of: TagRow) => tagCan(verb, of)
const canAs =
  (is: TagRow['is'], verb: TagVerb) =>
  (of: TagRow): true | Text =>
    of.is === is ? tagCan(verb, of) : needs[is]
const needs = {
  group: ['请选择标签组', 'Choose a group'],
  tag: ['请选择一个标签', 'Choose a tag'],
} as const satisfies Record<TagRow['is'], Text>
const one = (rows: Rows) => ({ id: rows[0]!.of, version: rows[0]!.version })
/** Names that are typed one a line, or with commas between. */
const namesOf = (typed: string): string[] =>
  typed
    .split(/[\n,，、]/)
    .map(name => name.trim())
    .filter(name => name !== '')
const names = ask.text({
  label: ['标签名称', 'Names of tags'],
  max: TAGS_AT_ONCE * (TAG_NAME_MAX + 1),
  lines: 4,
  hint: ['每行一个，最多 20 个，每个不超过 30 字', 'One a line, 20 at most, 30 characters each'],
  check: typed => {
    const all = namesOf(typed)
    return all.length > TAGS_AT_ONCE ? ['一次最多 20 个', 'Twenty at a time'] : namesFault(all)
  },
})
const name = ask.text({
  label: ['名称', 'Name'],
  max: TAG_NAME_MAX,
  initial: (rows: Rows) => rows[0]?.name,
})
const groupOf = (rows: Rows): number | undefined => {
  const of = rows[0]
  if (!of) return undefined
  return of.is === 'group' ? of.of : -of.parent_id!
}
const group = {
  label: ['标签组', 'Group'] as const,
  find: calls.groups,
  labelOf: (of: { name: string }) => of.name,
}
const tag = {
  find: calls.tags,
  labelOf: (of: { name: string; group: string }) => `${of.group} / ${of.name}`,
}
const whoUses = (rows: Rows): Told | undefined => {
  const of = rows[0]
  if (!of || of.is === 'group') return undefined
  const kinds = joinedNames(of.uses.map(use => use.name))
  return of.uses.length > 0
    ? [
        ['{n} 位客户有此标签；正在使用：{who}', '{n} customers have it; used by {who}'],
        { n: of.customers, who: kinds },
      ]
    : [['{n} 位客户有此标签', '{n} customers have it'], { n: of.customers }]
}
const isUsed = (rows: Rows): boolean => (rows[0]?.uses.length ?? 0) > 0

const ofKind =
  (...kinds: string[]) =>
  ({ kind }: { kind?: string }) =>
    kinds.includes(kind ?? '')
const ruleAsks = {
  kind: ask.choice({
    label: ['触发条件', 'Trigger'],
    options: { none: ['不自动打标', 'Nothing'], ...tagRuleKinds },
    initial: (rows: Rows) => rows[0]?.rule?.kind ?? 'spend',
    hint: ['每位客户的每次事件只打一次标签', 'Once for each thing that a customer does'],
  }),
  min_cents: ask.money({
    label: ['单笔实付不低于', 'Paid in one order, at least'],
    optional: true,
    min: 0,
    shown: ofKind('spend'),
    initial: (rows: Rows) => rows[0]?.rule?.min_cents,
  }),
  mall_ids: ask.entities({
    label: ['限定商场', 'Only in malls'],
    find: calls.malls,
    max: RULE_PLACES_MOST,
    labelOf: (of: { name: string }) => of.name,
    optional: true,
    shown: ofKind('spend', 'verify'),
    hint: ['留空为全部商场', 'Empty: all of them'],
    initial: (rows: Rows) => rows[0]?.rule?.mall_ids,
  }),
  group_ids: ask.entities({
    label: ['限定客户群', 'Only chats'],
    find: calls.chats,
    max: RULE_PLACES_MOST,
    labelOf: (of: { name: string }) => of.name,
    optional: true,
    shown: ofKind('join'),
    hint: ['留空为任意群', 'Empty: any'],
    initial: (rows: Rows) => rows[0]?.rule?.group_ids,
  }),
  words: ask.text({
    label: ['关键词', 'Keywords'],
    max: 220,
    shown: ofKind('keyword'),
    hint: [
      '跟进记录、备注或描述含任一即打标；用逗号分隔，最多 10 个，每个 2–20 字',
      'In notes, remarks or descriptions; commas between, ten at most',
    ],
    check: typed =>
      namesOf(typed).length > RULE_WORDS_MOST ? ['最多 10 个', 'Ten at most'] : undefined,
    initial: (rows: Rows) => rows[0]?.rule?.words?.join('，'),
  }),
  on: ask.flag({
    label: ['启用', 'On'],
    shown: ({ kind }) => kind !== 'none',
    initial: (rows: Rows) => rows[0]?.rule?.on ?? true,
  }),
}

/** What is done with the corp's tags: made, named, ordered, merged, given by rules, deleted. */
export const customerTagActions = {
  create: pageAction(calls.create, ['新增标签', 'New tags'], at, {
    key: 'c',
    main: true,
    asks: {
      group_id: ask.entity({
        ...group,
        initial: groupOf,
        named: (rows: Rows) => rows[0]?.group_name,
      }),
      names,
    },
    input: (_, { group_id, names: typed }) => ({ group_id, names: namesOf(typed) }),
  }),
  createGroup: pageAction(calls.createGroup, ['添加标签组', 'New group'], at, {
    key: 'shift+c',
    main: 'plain',
    asks: { name: ask.text({ label: ['组名称', 'Name'], max: TAG_NAME_MAX }), names },
    input: (_, { name: called, names: typed }) => ({ name: called, tags: namesOf(typed) }),
  }),
  rename: row.row(calls.rename, ['重命名标签', 'Rename'], {
    key: 'e',
    when: canAs('tag', 'rename'),
    asks: { name },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  renameGroup: row.row(calls.renameGroup, ['重命名标签组', 'Rename the group'], {
    key: 'shift+e',
    when: canAs('group', 'rename'),
    asks: { name },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  merge: row.row(calls.merge, ['合并标签', 'Merge'], {
    key: 'shift+m',
    main: 'plain',
    danger: true,
    when: canAs('tag', 'merge'),
    tells: whoUses,
    asks: {
      more_ids: ask.entities({
        ...tag,
        label: ['同时合并', 'And these'],
        max: 19,
        optional: true,
        hint: ['可再选其他近似标签', 'Further tags that mean the same'],
      }),
      to_id: ask.entity({
        ...tag,
        label: ['合并到', 'Into'],
        hint: ['客户改为有此标签，每位只保留一次', 'Customers have it once each'],
      }),
      replace: ask.flag({
        label: ['活码、规则、分群一并替换为目标标签', 'Codes, rules and segments use it too'],
        initial: (rows: Rows) => isUsed(rows),
      }),
    },
    input: (rows, { more_ids, to_id, replace }) => ({
      from_ids: [rows[0]!.of, ...(more_ids ?? [])],
      to_id,
      replace,
    }),
  }),
  setRule: row.row(calls.setRule, ['设置自动打标规则', 'Set the rule'], {
    key: 'r',
    main: 'plain',
    when: canAs('tag', 'setRule'),
    asks: ruleAsks,
    input: (rows, { kind, min_cents, mall_ids, group_ids, words, on }) => ({
      ...one(rows),
      rule:
        kind === 'none'
          ? null
          : {
              kind,
              on,
              ...(kind === 'spend' && { min_cents: min_cents ?? 0 }),
              ...((kind === 'spend' || kind === 'verify') && mall_ids?.length && { mall_ids }),
              ...(kind === 'join' && group_ids?.length && { group_ids }),
              ...(kind === 'keyword' && { words: namesOf(words ?? '') }),
            },
    }),
  }),
  runRule: row.row(calls.runRule, ['回溯打标', 'Apply the rule to past events'], {
    key: 'shift+r',
    when: can('runRule'),
    asks: {
      days: ask.number({
        label: ['回溯天数', 'Days back'],
        min: 1,
        max: RULE_BACK_DAYS,
        initial: () => 30,
        hint: ['对过去发生的事件补打标签，已打过的不重复', 'What was given for is not given again'],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  move: row.row(calls.move, ['移动标签', 'Move to a group'], {
    key: 'm',
    when: canAs('tag', 'move'),
    asks: {
      group_id: ask.entity({
        ...group,
        hint: [
          '企微会在新组重建标签，客户的标签随之迁移',
          'WeCom makes it anew there, and customers keep it',
        ],
      }),
    },
    input: (rows, asked) => ({ ...one(rows), ...asked }),
  }),
  sort: row.row(calls.sort, ['调整排序', 'Change the order'], {
    key: 's',
    when: canAs('group', 'sort'),
  }),
  del: row.row(calls.del, ['删除标签', 'Delete'], {
    key: 'd',
    danger: true,
    when: canAs('tag', 'del'),
    tells: whoUses,
    asks: {
      replace_id: ask.entity({
        ...tag,
        label: ['替换为', 'Replace with'],
        optional: true,
        shown: (_, rows) => isUsed(rows),
        hint: [
          '正在使用它的活码、规则、分群改用此标签',
          'Codes, rules and segments that use it use this one',
        ],
      }),
      reason,
    },
    input: (rows, { replace_id, reason: why }) => ({
      ...one(rows),
      reason: why,
      ...(replace_id && { replace_id }),
    }),
  }),
  sync: pageAction(calls.sync, ['同步企微标签', 'Sync the tags'], at, {
    key: 'y',
    input: () => ({}),
    takenBack: 'again',
  }),
}
