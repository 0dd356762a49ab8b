import { ask } from '#commands/command.ts'
import { mallAsk } from '#commands/places.ts'
import {
  codeKinds,
  verifyModes,
  type CodeBody,
  type CodeKind,
  type VerifyMode,
  type VerifyWindow,
} from '#src/areas/channelCode/channelCode.ts'
import { TAGS_MOST } from '#src/areas/channelCode/codeRules.ts'
import { unixNow } from '#src/domain/time.ts'
import { channelCodes, codeEdit, type CodeDetail, type CodePerson } from '../contract/code.ts'

/** A colleague in the form, with what they are called. */
export type FormPerson = { id: number; userid: string; name: string; unable: string }
export type FormMember = FormPerson & { weight: number; day_cap: number | null }
export type FormShift = CodeBody['shifts'][number]
export type CodeAnswers = {
  name: string
  group_name?: string
  kind: CodeKind
  mall_id?: number
  store_id?: number
  cost?: number
  start_at?: number
  end_at?: number
  verify_mode: VerifyMode
  tag_ids?: number[]
  remark_suffix?: string
  welcome_id?: number
  members: FormMember[]
  backups: FormPerson[]
  shifts: FormShift[]
  windows: VerifyWindow[]
}
type Rows = readonly CodeDetail[]
const body = (rows: Rows) => rows[0]?.body

/** What a code is, and where it hangs. */
export const whatAsks = {
  name: ask.text({
    label: ['活码名称', 'Name'],
    max: 40,
    initial: (rows: Rows) => body(rows)?.name,
  }),
  group_name: ask.text({
    label: ['分组', 'Group'],
    max: 20,
    optional: true,
    initial: (rows: Rows) => body(rows)?.group_name,
    hint: ['如“门店台卡”“收银小票”；填写新名称即新建', 'A new name makes a group'],
  }),
  kind: ask.choice({
    label: ['类型', 'Kind'],
    options: codeKinds,
    initial: (rows: Rows) => body(rows)?.kind ?? 'multi',
  }),
  mall_id: mallAsk({
    optional: true,
    initial: (rows: Rows) => body(rows)?.mall_id ?? undefined,
    named: (rows: Rows) => rows[0]?.mall_name || undefined,
  }),
  store_id: ask.entity({
    label: ['门店', 'Store'],
    optional: true,
    find: channelCodes.stores,
    given: (_, answers: Partial<CodeAnswers>) =>
      answers.mall_id ? { mall_id: answers.mall_id } : {},
    labelOf: (of: { name: string }) => of.name,
    initial: (rows: Rows) => body(rows)?.store_id ?? undefined,
    named: (rows: Rows) => rows[0]?.store_name || undefined,
  }),
  cost: ask.money({
    label: ['制作成本', 'Production cost'],
    min: 0,
    max: 100_000_000,
    optional: true,
    field: 'cost_cents',
    initial: (rows: Rows) => body(rows)?.cost_cents,
    hint: [
      '印刷、物料等一次性费用，计入单个新增成本',
      'One-off printing and materials; counts in cost per add',
    ],
  }),
  start_at: ask.time({
    label: ['开始时间', 'From'],
    optional: true,
    initial: (rows: Rows) => body(rows)?.start_at ?? undefined,
    hint: ['留空为立即生效', 'Empty: immediately'],
  }),
  end_at: ask.time({
    label: ['结束时间', 'Until'],
    optional: true,
    initial: (rows: Rows) => body(rows)?.end_at ?? undefined,
    hint: ['留空为长期有效', 'Empty: no end date'],
    check: (end, answers: Partial<CodeAnswers>) => {
      if (end === undefined) return undefined
      if (end <= unixNow()) return ['结束时间须晚于当前时间', 'It must end in the future']
      return answers.start_at !== undefined && end <= answers.start_at
        ? ['结束时间须晚于开始时间', 'It must end after it begins']
        : undefined
    },
  }),
}
/** What a new contact goes through, and gets. */
export const afterAsks = {
  verify_mode: ask.choice({
    label: ['好友验证', 'New contacts'],
    options: verifyModes,
    initial: (rows: Rows) => body(rows)?.verify_mode ?? 'skip',
  }),
  remark_suffix: ask.text({
    label: ['备注后缀', 'Remark suffix'],
    max: 10,
    optional: true,
    initial: (rows: Rows) => body(rows)?.remark_suffix,
    hint: ['加在客户昵称后，如“-台卡”', 'Added after the customer’s name'],
  }),
  tag_ids: ask.entities({
    label: ['自动标签', 'Tags'],
    max: TAGS_MOST,
    optional: true,
    find: channelCodes.tags,
    labelOf: (of: { name: string; group: string }) => `${of.group} · ${of.name}`,
    initial: (rows: Rows) => body(rows)?.tag_ids,
    named: (rows: Rows) =>
      Object.fromEntries((rows[0]?.tag_names ?? []).map(one => [one.id, one.name])),
  }),
  welcome_id: ask.entity({
    label: ['专属欢迎语', 'Dedicated welcome'],
    optional: true,
    find: codeEdit.welcomes,
    labelOf: (of: { name: string }) => of.name,
    initial: (rows: Rows) => body(rows)?.welcome_id ?? undefined,
    named: (rows: Rows) => rows[0]?.welcome_name || undefined,
    none: ['还没有启用的活码欢迎语', 'No welcome of codes is on'],
    hint: [
      '留空则按员工、部门、默认的顺序选择',
      'Empty: uses the adviser’s, then the department’s, then the default',
    ],
  }),
}
const personOf = (people: readonly CodePerson[], userid: string): FormPerson => {
  const one = people.find(person => person.userid === userid)
  return {
    id: one?.id ?? 0,
    userid,
    name: one?.name ?? userid,
    unable: one?.unable ?? '',
  }
}
const nothing: Pick<CodeAnswers, 'members' | 'backups' | 'shifts' | 'windows'> = {
  members: [],
  backups: [],
  shifts: [],
  windows: [],
}
/** What the form begins with beside its questions. */
export const givenLines = (rows: Rows): typeof nothing => {
  const [row] = rows
  if (!row) return nothing
  const { members, backup_userids, shifts, verify_windows } = row.body
  return {
    members: members.map(({ userid, weight, day_cap }) => ({
      ...personOf(row.people, userid),
      weight,
      day_cap,
    })),
    backups: backup_userids.map(userid => personOf(row.people, userid)),
    shifts,
    windows: verify_windows,
  }
}
/** What the fields of the calls are called among the questions. */
export const namesHere = {
  cost_cents: 'cost',
  backup_userids: 'backups',
  verify_windows: 'windows',
} as const
/** What is sent of the answers. */
export const bodyOf = (of: CodeAnswers): CodeBody => ({
  name: of.name,
  group_name: of.group_name ?? '',
  kind: of.kind,
  mall_id: of.mall_id ?? null,
  store_id: of.store_id ?? null,
  cost_cents: of.cost ?? 0,
  members: of.members.map(({ userid, weight, day_cap }) => ({ userid, weight, day_cap })),
  shifts: of.shifts,
  backup_userids: of.backups.map(one => one.userid),
  verify_mode: of.verify_mode,
  verify_windows: of.verify_mode === 'by_time' ? of.windows : [],
  tag_ids: of.tag_ids ?? [],
  remark_suffix: of.remark_suffix ?? '',
  welcome_id: of.welcome_id ?? null,
  start_at: of.start_at ?? null,
  end_at: of.end_at ?? null,
})
