import { Key, Lock } from '@blueprintjs/icons'
import { useCallback, useState } from 'react'
import { staff as page } from '#commands/pages/system.ts'
import { staffActions as actions } from '#commands/system/people.ts'
import { IDLE_DAYS, staffStates } from '#src/areas/people/people.ts'
import { staffScopes } from '#src/areas/people/rights.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, comma, type Text } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { AskDialog } from '#src/kit/asking.tsx'
import { Listed } from '#src/kit/cells.tsx'
import { useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword, Toggle } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import type { Refused } from '#src/kit/refused.ts'
import { RevealDialog, type Revealed } from '#src/kit/reveal.tsx'
import { Badge, Fact, Facts, Money, Section, When, type ToneName } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList, type ListState } from '#src/kit/uselist.ts'
import { useAction } from '#src/kit/workbench.ts'
import { department as departmentCalls } from '../contract/department.ts'
import { role as roleCalls } from '../contract/role.ts'
import { staff as calls, type Handover, type StaffRow } from '../contract/staff.ts'
import { Import, Passwords } from '../parts/Staff.tsx'
import '../parts/people.css'

const tones: Record<StaffRow['status'], ToneName> = {
  active: 'good',
  disabled: 'warn',
  left: 'plain',
}
const State = ({ of }: { of: StaffRow }) => {
  const say = useSay()
  return <Badge tone={tones[of.status]}>{say(staffStates[of.status])}</Badge>
}
const Scope = ({ of }: { of: StaffRow }) => {
  const say = useSay()
  const names = Object.values(of.scope_names)
  return (
    <span
      title={names.join(say(comma))}
      className={of.scope_type === 'inherit' ? 'm-muted' : undefined}
    >
      {say(staffScopes[of.scope_type])}
      {names.length > 0 &&
        `${say(colon)}${names.slice(0, 2).join(say(comma))}${names.length > 2 ? '…' : ''}`}
    </span>
  )
}
const Last = ({ of }: { of: StaffRow }) => {
  const say = useSay()
  return of.last_login_at === null ? (
    <Badge tone="warn">{say(['从未登录', 'Never'])}</Badge>
  ) : (
    <When at={of.last_login_at} />
  )
}
const Marks = ({ of }: { of: StaffRow }) => {
  const say = useSay()
  return (
    <>
      {of.locked && (
        <Badge tone="bad" icon={Lock} title={of.locked_until ? timeFull(of.locked_until) : ''}>
          {say(['已锁定', 'Locked'])}
        </Badge>
      )}
      {of.must_change && (
        <Badge tone="info" icon={Key}>
          {say(['待改密', 'New password due'])}
        </Badge>
      )}
    </>
  )
}
const columns: readonly Column<StaffRow>[] = [
  {
    key: 'name',
    title: ['姓名', 'Name'],
    width: 76,
    sort: 'name',
    upwards: true,
    cell: row => row.name,
  },
  {
    key: 'account',
    title: ['账号', 'Account'],
    width: 112,
    cell: row => <span className="m-num">{row.account}</span>,
    words: row => row.account,
  },
  {
    key: 'phone',
    title: ['手机号', 'Phone'],
    width: 104,
    cell: row => <span className="m-num">{row.phone ?? '—'}</span>,
  },
  {
    key: 'department',
    title: ['部门', 'Department'],
    width: 96,
    grow: true,
    cell: row => row.department_name ?? '—',
    words: row => row.department_name ?? '',
  },
  {
    key: 'roles',
    title: ['角色', 'Roles'],
    width: 88,
    grow: true,
    cell: row => <Listed of={row.roles.map(one => one.name)} />,
    words: (row, say) => row.roles.map(one => one.name).join(say(comma)),
  },
  { key: 'scope', title: ['数据范围', 'Data scope'], width: 132, cell: row => <Scope of={row} /> },
  { key: 'status', title: ['状态', 'State'], width: 70, cell: row => <State of={row} /> },
  {
    key: 'last',
    title: ['最近登录', 'Last sign-in'],
    width: 92,
    sort: 'login',
    cell: row => <Last of={row} />,
  },
  { key: 'marks', title: ['提示', 'Marks'], width: 84, cell: row => <Marks of={row} /> },
  {
    key: 'email',
    title: ['邮箱', 'E-mail'],
    width: 180,
    optional: true,
    cell: row => row.email ?? '—',
  },
  {
    key: 'created',
    title: ['创建', 'Created'],
    width: 100,
    sort: 'newest',
    optional: true,
    cell: row => <When at={row.created_at} />,
  },
]

const loginResults: Readonly<Record<string, readonly [string, string]>> = {
  ok: ['成功', 'Done'],
  bad_password: ['密码错误', 'Wrong password'],
  unknown: ['账号不存在', 'Unknown'],
  locked: ['已锁定', 'Locked'],
  disabled: ['已停用', 'Disabled'],
  captcha: ['未通过登录验证', 'Failed the sign-in check'],
  ip_banned: ['地址被禁', 'Address banned'],
}
const loginEvents: Readonly<Record<string, readonly [string, string]>> = {
  login: ['登录', 'Sign-in'],
  logout: ['退出', 'Sign-out'],
  kicked: ['被下线', 'Signed out'],
  expired: ['过期', 'Expired'],
}
const handed: Readonly<Record<keyof Handover, Text>> = {
  audit_tasks: ['领取的审核', 'Claimed audits'],
  merchants: ['名下商户', 'Merchants'],
  departments: ['负责的部门', 'Departments led'],
  refunds: ['领取的售后', 'Claimed refunds'],
  warnings: ['负责的预警', 'Alarms'],
  reports: ['报表订阅', 'Report subscriptions'],
}
type Detail = Result<typeof calls.detail>
const Sessions = ({ sessions }: Pick<Detail, 'sessions'>) => {
  const say = useSay()
  if (sessions.length === 0)
    return <span className="m-muted">{say(['不在线', 'Not signed in'])}</span>
  return (
    <table className="p-table">
      <tbody>
        {sessions.map(one => (
          <tr key={one.id}>
            <td>
              <When at={one.since} />
            </td>
            <td className="m-num">{one.ip}</td>
            <td className="m-muted" title={one.ua ?? ''}>
              {(one.ua ?? '').replace(/^Mozilla\/5\.0 /, '').slice(0, 60)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const SignIns = ({ logins }: Pick<Detail, 'logins'>) => {
  const say = useSay()
  if (logins.length === 0) return <span className="m-muted">{say(['没有记录', 'None'])}</span>
  return (
    <table className="p-table">
      <tbody>
        {logins.map((one, i) => (
          <tr key={i}>
            <td>
              <When at={one.at} />
            </td>
            <td>{say(loginEvents[one.event] ?? [one.event, one.event])}</td>
            <td>
              <Badge tone={one.result === 'ok' ? 'good' : 'bad'}>
                {say(loginResults[one.result] ?? [one.result, one.result])}
              </Badge>
            </td>
            <td className="m-num">{one.ip}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
const Person = ({ id }: { id: number }) => {
  const say = useSay()
  const read = useRead(calls.detail, { id })
  const of = read.data?.person.id === id ? read.data : undefined
  if (!of) return <Unanswered of={read} lines={12} />
  const { person, holds } = of
  return (
    <div className="p-side">
      <div className="p-head">
        <h2>
          {person.name}
          <State of={person} />
          <Marks of={person} />
          {person.above && <Badge tone="warn">{say(['权限高于你', 'Above you'])}</Badge>}
        </h2>
        <p>
          <code className="p-code">{person.account}</code> · {person.department_name ?? '—'}
        </p>
      </div>
      <div className="p-body" tabIndex={0} role="region" aria-label={person.name}>
        <Section title={say(['联系与登录', 'Contact and sign-in'])}>
          <Facts>
            <Fact label={say(['手机号', 'Phone'])}>{person.phone ?? '—'}</Fact>
            <Fact label={say(['邮箱', 'E-mail'])}>{person.email ?? '—'}</Fact>
            <Fact label={say(['最近登录', 'Last sign-in'])}>
              <Last of={person} />{' '}
              {person.last_login_ip && <span className="m-muted">{person.last_login_ip}</span>}
            </Fact>
            <Fact label={say(['创建', 'Created'])}>
              <When at={person.created_at} />
            </Fact>
          </Facts>
        </Section>
        <Section title={say(['权限', 'Rights'])}>
          <Facts>
            <Fact label={say(['角色', 'Roles'])} wide>
              <span className="p-chips">
                {person.roles.map(one => (
                  <Badge key={one.id} tone={one.on ? 'info' : 'plain'}>
                    {one.name}
                    {!one.on && say(['（停用）', ' (off)'])}
                  </Badge>
                ))}
                {person.roles.length === 0 && (
                  <span className="m-muted">
                    {say(['没有角色，不能登录', 'No role, so no sign-in'])}
                  </span>
                )}
              </span>
            </Fact>
            <Fact label={say(['数据范围', 'Data scope'])} wide>
              {person.scope_type === 'inherit' && (
                <span className="m-muted">{say(['跟随角色：', 'By roles: '])}</span>
              )}
              {of.scope_text}
            </Fact>
            <Fact label={say(['权限数', 'Rights'])}>{of.perm_count}</Fact>
            <Fact label={say(['退款额度', 'Refund limit'])}>
              <Money cents={of.refund_limit_cents} sign />
            </Fact>
          </Facts>
        </Section>
        {person.status !== 'left' && (
          <Section title={say(['离职需交接', 'To hand over before leaving'])}>
            {Object.values(holds).every(n => n === 0) ? (
              <span className="m-muted">{say(['没有待交接的事项', 'Nothing'])}</span>
            ) : (
              <Facts>
                {(Object.keys(handed) as (keyof Handover)[]).map(key => (
                  <Fact key={key} label={say(handed[key])}>
                    {holds[key]}
                  </Fact>
                ))}
              </Facts>
            )}
          </Section>
        )}
        <Section title={say(['在线会话 {n}', 'Live sessions {n}'], { n: of.sessions.length })}>
          <Sessions sessions={of.sessions} />
        </Section>
        <Section title={say(['最近的登录记录', 'Recent sign-ins'])}>
          <SignIns logins={of.logins} />
        </Section>
        <FoldedFacts />
      </div>
    </div>
  )
}

const StaffFilters = ({ list }: { list: ListState<StaffRow> }) => {
  const say = useSay()
  const departments = useRead(departmentCalls.pick, { pageSize: 200 })
  const roles = useRead(roleCalls.pick, { pageSize: 200 })
  return (
    <>
      <Keyword of={list} placeholder={say(['姓名、账号或拼音', 'Name or account'])} />
      <Choice
        of={list}
        by="department_id"
        label={say(['部门（含下级）', 'Department and below'])}
        options={(departments.data?.list ?? []).map(one => ({
          value: one.id,
          label: one.full_name,
        }))}
      />
      <Choice
        of={list}
        by="role_id"
        label={say(['角色', 'Role'])}
        options={(roles.data?.list ?? []).map(one => ({ value: one.id, label: one.name }))}
      />
      <Choice
        of={list}
        by="signin"
        label={say(['登录情况', 'Sign-ins'])}
        options={[
          { value: 'never', label: say(['从未登录', 'Never signed in']) },
          {
            value: 'idle',
            label: say(['{n} 天未登录', 'Idle for {n} days'], { n: IDLE_DAYS }),
          },
        ]}
      />
      <Toggle of={list} by="locked" label={say(['已锁定', 'Locked'])} />
    </>
  )
}

/** What a dialog was refused, at its questions. */
const refusal = (fault: CallError): Refused => {
  const { department_id, ...fields } = fault.data?.fields ?? {}
  const shown = { ...fields, ...(department_id ? { department: department_id } : {}) }
  return Object.keys(shown).length > 0 ? { fields: shown } : { message: fault.message }
}

export default function Staff() {
  const say = useSay()
  const now = useLang()
  const list = useList(calls.lst)
  const [asking, setAsking] = useState<
    | {
        action: typeof actions.create | typeof actions.resetPassword | typeof actions.revealPhone
        rows: readonly StaffRow[]
      }
    | undefined
  >(undefined)
  const [passwords, setPasswords] = useState<
    readonly { account: string; initial_password: string | null }[] | undefined
  >(undefined)
  const [revealed, setRevealed] = useState<Revealed | undefined>(undefined)
  const hide = useCallback(() => setRevealed(undefined), [])
  const [importing, setImporting] = useState(false)
  const [create] = useWrite(calls.create)
  const [reset] = useWrite(calls.resetPassword)
  const [reveal] = useWrite(calls.revealPhone)
  // These answer what only the person who asked may see, once: the general way would let it go.
  useAction(actions.create, () => setAsking({ action: actions.create, rows: [] }))
  useAction(actions.resetPassword, rows => setAsking({ action: actions.resetPassword, rows }))
  useAction(actions.revealPhone, rows => setAsking({ action: actions.revealPhone, rows }))
  useAction(actions.batchImport, () => setImporting(true))
  useExport(actions.export, calls.export, { list })
  const submit = async (answers: Record<string, unknown>): Promise<true | Refused> => {
    const { action, rows } = asking!
    const input = action.input!(rows, answers) as never
    try {
      if (action === actions.create) {
        const made = await create(input, { quiet: true })
        setPasswords([
          { account: String(answers['account']), initial_password: made.initial_password },
        ])
        list.reveal(made.id)
      } else if (action === actions.resetPassword) {
        const done = await reset(input, { quiet: true })
        setPasswords([{ account: rows[0]!.account, initial_password: done.initial_password }])
      } else {
        const { phone, seconds, left } = await reveal(input, { quiet: true })
        setRevealed({
          label: ['完整手机号', 'The phone'],
          of: rows[0]!.name,
          value: phone,
          seconds,
          left,
        })
      }
      setAsking(undefined)
      return true
    } catch (fault) {
      return refusal(fault as CallError)
    }
  }
  return (
    <>
      <ListDetail label={say(['列表与员工的分隔', 'Between list and person'])}>
        <List
          of={list}
          label={titleIn(page, now)}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={() => {}}
          tabs={{
            by: 'status',
            all: [
              { key: 'active', title: staffStates.active },
              { key: 'disabled', title: staffStates.disabled },
              { key: 'left', title: staffStates.left },
              { key: 'all', title: ['全部', 'All'] },
            ],
          }}
          filters={<StaffFilters list={list} />}
        />
        {list.focused === undefined ? (
          <Empty title={say(['选择一名员工', 'Choose somebody'])} />
        ) : (
          <Person id={list.focused} />
        )}
      </ListDetail>
      {asking && (
        <AskDialog
          action={asking.action}
          rows={asking.rows}
          submit={submit}
          cancel={() => setAsking(undefined)}
        />
      )}
      {passwords && <Passwords of={passwords} close={() => setPasswords(undefined)} />}
      {revealed && <RevealDialog of={revealed} close={hide} />}
      {importing && <Import close={() => setImporting(false)} opened={setPasswords} />}
    </>
  )
}
