import {
  PRIORITY_MOST,
  TARGETS_MOST,
  welcomeScopes,
  type WelcomeScope,
} from '#src/areas/welcome/welcome.ts'
import type { Read } from '#src/contract/call.ts'
import type { WelcomeRow } from '#src/contract/welcome.ts'
import type { Text } from '#src/domain/text.ts'
import { ask } from './command.ts'
import { mallAsk } from './places.ts'
import { hasHours, spanOf, whenAsks, type AskedWhen } from './welcomeHours.ts'
import { nameAsk as name, sayingAsks, sayingOf, type AskedSaying } from './welcomeSaying.ts'

/** The form of a welcome message, for each page that edits some. */
type Rows = readonly (WelcomeRow | undefined)[]
type Finds = { advisers: Read; departments: Read; coupons: Read }
const whos = {
  mall: ['商场绑定的部门', 'The departments of a mall'],
  departments: ['指定部门', 'Some departments'],
} as const satisfies Record<string, Text>

const isScope = (scope: WelcomeScope) => (of: { scope?: WelcomeScope }) => of.scope === scope
const byMall = (of: { scope?: WelcomeScope; who?: keyof typeof whos }): boolean =>
  of.scope === 'department' && of.who === 'mall'
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
    label: ['适用范围', 'For'],
    options: scopes as typeof welcomeScopes,
    initial: ([row]: Rows) => row?.scope ?? 'staff',
  }),
  who: ask.choice({
    label: ['部门范围', 'Which departments'],
    options: whos,
    initial: ([row]: Rows) =>
      row && row.scope === 'department' && row.mall_id === null ? 'departments' : 'mall',
    shown: isScope('department'),
  }),
  mall_id: mallAsk({ shown: byMall, initial: ([row]: Rows) => row?.mall_id ?? undefined }),
  department_ids: ask.entities({
    label: ['部门', 'Departments'],
    max: TARGETS_MOST,
    find: finds.departments,
    labelOf: (of: { name: string }) => of.name,
    initial: ([row]: Rows) => row?.department_ids,
    named: ([row]) => named(row?.department_ids, row?.departments),
    shown: of => isScope('department')(of) && !byMall(of),
    hint: ['包含下级部门', 'With those below them'],
  }),
  staff_ids: ask.entities({
    label: ['员工', 'Advisers'],
    max: TARGETS_MOST,
    find: finds.advisers,
    labelOf: (of: { name: string; position: string }) =>
      of.position ? `${of.name}（${of.position}）` : of.name,
    initial: ([row]: Rows) => row?.staff_ids,
    named: ([row]) => named(row?.staff_ids, row?.advisers),
    shown: isScope('staff'),
  }),
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
      hint: ['同一适用范围内，数字小的先命中', 'In one scope the smaller number wins'],
    }),
  },
  input: (asked: AskedRule) => {
    const { scope, priority } = asked
    const isMall = byMall(asked)
    return {
      ...sayingOf(asked),
      scope,
      mall_id: isMall ? (asked.mall_id ?? null) : null,
      department_ids: scope === 'department' && !isMall ? (asked.department_ids ?? []) : [],
      staff_ids: scope === 'staff' ? (asked.staff_ids ?? []) : [],
      priority,
      hours: hasHours(asked) ? spanOf(asked) : [],
    }
  },
})
