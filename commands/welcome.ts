import {
  PRIORITY_MOST,
  TARGETS_MOST,
  welcomeScopes,
  type WelcomeScope,
} from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import { aside, say, type Lang, type Text } from '#src/domain/text.ts'
import { ask } from './command.ts'
import { mallAsk } from './places.ts'
import { isOwn, spanOf, whenAsks, type AskedWhen } from './welcomeHours.ts'
import { nameAsk as name, sayingAsks, sayingOf, type AskedSaying } from './welcomeSaying.ts'

/** The form of a welcome message, for each page that edits some. */
type Rows = readonly (WelcomeRow | undefined)[]
type Finds = { advisers: Read; departments: Read; coupons: Read; materials: Read }
const whos = {
  mall: ['商场绑定的部门', 'Departments of a mall'],
  departments: ['指定部门', 'Some departments'],
} as const satisfies Record<string, Text>

type Whom = { scope?: WelcomeScope; who?: keyof typeof whos }
const isScope = (scope: WelcomeScope) => (of: Whom, rows: Rows) =>
  of.scope === scope && isOwn(of, rows)
const byMall = (of: Whom): boolean => of.scope === 'department' && of.who === 'mall'
const named = (ids: readonly number[] = [], names: readonly string[] = []) =>
  Object.fromEntries(ids.map((id, at) => [id, names[at] ?? `#${id}`]))
type AskedRule = AskedSaying &
  AskedWhen & {
    scope: WelcomeScope
    who?: keyof typeof whos
    mall_id?: number
    department_ids?: number[]
    staff_ids?: number[]
    priority: number
  }
const whomAsks = (finds: Finds, scopes: Scopes) => ({
  scope: ask.choice({
    label: ['适用范围', 'Applies to'],
    options: scopes as typeof welcomeScopes,
    initial: ([row]: Rows) => row?.scope ?? 'staff',
    shown: isOwn,
  }),
  who: ask.choice({
    label: ['部门范围', 'Which departments'],
    options: whos,
    initial: ([row]: Rows) =>
      row && row.scope === 'department' && row.mall_id === null ? 'departments' : 'mall',
    shown: isScope('department'),
  }),
  mall_id: mallAsk({
    shown: (of: Whom, rows: Rows) => byMall(of) && isOwn(of, rows),
    initial: ([row]: Rows) => row?.mall_id ?? undefined,
  }),
  department_ids: ask.entities({
    label: ['部门', 'Departments'],
    max: TARGETS_MOST,
    find: finds.departments,
    labelOf: (of: { name: string }) => of.name,
    initial: ([row]: Rows) => row?.department_ids,
    named: ([row]) => named(row?.department_ids, row?.departments),
    shown: (of: Whom, rows: Rows) => isScope('department')(of, rows) && !byMall(of),
    hint: ['包含下级部门', 'Include sub-departments'],
  }),
  staff_ids: ask.entities({
    label: ['员工', 'Advisers'],
    max: TARGETS_MOST,
    find: finds.advisers,
    labelOf: (of: { name: string; position: string }, lang: Lang) =>
      of.position ? `${of.name}${say(aside, lang, { it: of.position })}` : of.name,
    initial: ([row]: Rows) => row?.staff_ids,
    named: ([row]) => named(row?.staff_ids, row?.advisers),
    shown: isScope('staff'),
  }),
})
/** What a message of some hours has from its rule. */
const followed = ({ scope, mall_id, department_ids, staff_ids, priority }: WelcomeRow) => ({
  scope,
  who: mall_id === null ? ('departments' as const) : ('mall' as const),
  ...(mall_id !== null && { mall_id }),
  department_ids,
  staff_ids,
  priority,
})
type Scopes = Readonly<Partial<Record<WelcomeScope, Text>>>
/** The questions of a rule; `scopes` are those that a page makes new ones of. */
export const welcomeForm = (finds: Finds, scopes: Scopes = welcomeScopes) => ({
  asks: {
    name,
    ...whomAsks(finds, scopes),
    ...whenAsks(),
    ...sayingAsks(finds),
    priority: ask.number({
      label: ['优先级', 'Priority'],
      min: 1,
      max: PRIORITY_MOST,
      initial: ([row]: Rows) => row?.priority ?? 100,
      shown: isOwn,
      hint: ['同一适用范围内，数字小的先命中', 'Within a scope, smaller numbers match first'],
    }),
  },
  /** Answers that were not asked are those of the row `was`, as for a message of some hours. */
  input: (answers: AskedRule, was?: WelcomeRow) => {
    const asked = was && was.base_id !== null ? { ...followed(was), ...answers } : answers
    const { scope, priority } = asked
    const isMall = byMall(asked)
    return {
      ...sayingOf(asked),
      scope,
      mall_id: isMall ? (asked.mall_id ?? null) : null,
      department_ids: scope === 'department' && !isMall ? (asked.department_ids ?? []) : [],
      staff_ids: scope === 'staff' ? (asked.staff_ids ?? []) : [],
      priority,
      hours: asked.from === undefined ? [] : spanOf(asked),
    }
  },
})
