import { Button } from '@blueprintjs/core'
import { Undo } from '@blueprintjs/icons'
import type { KeyboardEvent, RefObject } from 'react'
import { roleActions as actions } from '#commands/system/people.ts'
import { SUPER_ADMIN } from '#src/areas/people/people.ts'
import { useRead } from '#src/kit/data.ts'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { PressButton, useLacks } from '#src/kit/pressable.tsx'
import { Badge, Money } from '#src/kit/show.tsx'
import { Empty, Unanswered } from '#src/kit/states.tsx'
import { stepRight } from '#src/kit/steps.ts'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { role as calls, type PermModule, type RoleRow } from '../contract/role.ts'
import { FieldRights } from './FieldRights.tsx'
import { RightsMatrix } from './RightsMatrix.tsx'
import { RoleState, ScopeText } from './roleCells.tsx'
import type { FieldsChange, RightsChange, RoleDetail } from './roleDrafts.ts'
import './people.css'

const Members = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  const { run } = useWorkbench()
  const read = useRead(calls.members, { id: of.id, pageSize: 200 })
  if (!read.data) return <Unanswered of={read} lines={6} />
  if (read.data.list.length === 0)
    return (
      <Empty title={say(['还没有成员', 'No members yet'])}>
        <Button onClick={() => void run(actions.addMembers, [of])}>
          {say([actions.addMembers.title, actions.addMembers.en])}
        </Button>
      </Empty>
    )
  return (
    <div className="p-body" style={{ padding: '8px 12px' }}>
      <table className="p-table">
        <thead>
          <tr>
            <th>
              {say(['姓名', 'Name'])} · {read.data.total}
            </th>
            <th>{say(['部门', 'Department'])}</th>
            <th />
          </tr>
        </thead>
        <tbody>
          {read.data.list.map(one => (
            <tr key={one.id}>
              <td>
                {one.name} <code>{one.account}</code>
              </td>
              <td>{one.department_name ?? '—'}</td>
              <td style={{ textAlign: 'right' }}>
                <Button
                  size="small"
                  variant="minimal"
                  intent="danger"
                  onClick={() =>
                    void run(actions.removeMember, [of], { asked: { person: one.id } })
                  }
                >
                  {say(['移除', 'Remove'])}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

export type RoleTab = 'rights' | 'fields' | 'members'
const RoleHead = ({ of, rights }: { of: RoleDetail; rights: ReadonlySet<string> }) => {
  const say = useSay()
  return (
    <div className="p-head">
      <h2>
        {of.role.name}
        <RoleState of={of.role} />
        {of.role.code === SUPER_ADMIN && (
          <Badge tone="info">{say(['内置，不可更改', 'Built in'])}</Badge>
        )}
      </h2>
      <p>
        {of.role.remark && <>{of.role.remark} · </>}
        {say(['{n} 名成员 · {p} 项权限', 'Members {n} · Rights {p}'], {
          n: of.role.member_count,
          p: rights.size.toLocaleString(),
        })}{' '}
        · <ScopeText of={of.role} /> · {say(['退款额度', 'Refund limit'])}{' '}
        <Money cents={of.role.refund_limit_cents} sign />
      </p>
    </div>
  )
}
const RoleTabs = ({
  all,
  tab,
  setTab,
}: {
  all: readonly (readonly [RoleTab, title: string, changed: number])[]
  tab: RoleTab
  setTab: (tab: RoleTab) => void
}) => {
  const say = useSay()
  const onTabKey = (event: KeyboardEvent) => {
    const by = stepRight(event)
    if (!by) return
    event.preventDefault()
    setTab(all[(all.findIndex(([key]) => key === tab) + by + all.length) % all.length]![0])
    const bar = event.currentTarget
    requestAnimationFrame(() => bar.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  return (
    <div
      className="m-tabs"
      role="tablist"
      aria-label={say(['角色的内容', 'Parts of the role'])}
      onKeyDown={onTabKey}
    >
      {all.map(([key, title, n]) => (
        <button
          key={key}
          type="button"
          role="tab"
          aria-selected={tab === key}
          tabIndex={tab === key ? 0 : -1}
          onClick={() => setTab(key)}
        >
          {title}
          {n > 0 && <Badge tone="warn">{n}</Badge>}
        </button>
      ))}
    </div>
  )
}
const Revert = ({ onClick }: { onClick: () => void }) => {
  const say = useSay()
  return (
    <Button size="small" variant="minimal" icon={<Undo />} onClick={onClick}>
      {say(['还原', 'Revert'])}
    </Button>
  )
}
const UnsavedRights = ({
  of,
  rights,
  save,
}: {
  of: RoleDetail
  rights: RightsChange
  save: () => void
}) => {
  const say = useSay()
  const lacks = useLacks()
  return (
    <>
      <span className="p-count">
        +{rights.changes.added.length} −{rights.changes.removed.length}
      </span>
      <Revert onClick={() => rights.set(of.role.id, undefined)} />
      <PressButton size="small" intent="primary" why={lacks(actions.setPerms)} onClick={save}>
        {say(['保存…', 'Save…'])}
      </PressButton>
    </>
  )
}
const UnsavedFields = ({
  of,
  fields,
  save,
}: {
  of: RoleDetail
  fields: FieldsChange
  save: () => void
}) => {
  const say = useSay()
  const lacks = useLacks()
  return (
    <>
      <span className="p-count">
        {say(['{f} 项改动，影响 {n} 人', '{f} changed, affects {n}'], {
          f: fields.changed,
          n: of.role.member_count,
        })}
      </span>
      <Revert onClick={() => fields.set(of.role.id, undefined)} />
      <PressButton size="small" intent="primary" why={lacks(actions.setFields)} onClick={save}>
        {say(['保存字段', 'Save fields'])}
      </PressButton>
    </>
  )
}
type Shown = {
  of: RoleDetail
  modules: readonly PermModule[]
  rights: RightsChange
  fields: FieldsChange
  tab: RoleTab
  leaf: string | undefined
  setLeaf: (leaf: string | undefined) => void
  showHolders: () => void
}
const RoleContent = ({ of, modules, rights, fields, tab, leaf, setLeaf, showHolders }: Shown) => {
  const say = useSay()
  if (tab === 'rights')
    return (
      <div className="p-body" style={{ overflow: 'hidden' }}>
        <RightsMatrix
          key={of.role.id}
          detail={of}
          modules={modules}
          perms={rights.perms}
          base={rights.base}
          change={rights.change}
          onLeaf={setLeaf}
          bar={
            leaf && (
              <Button size="small" variant="minimal" onClick={showHolders}>
                {say(['谁有此权限', 'Who has it'])}
              </Button>
            )
          }
        />
      </div>
    )
  return tab === 'fields' ? (
    <FieldRights detail={of} rules={fields.rules} change={fields.change} />
  ) : (
    <Members of={of.role} />
  )
}
/** A role in front: its rights, what it sees of fields, and its members, each on a tab. */
export const RoleSide = ({
  side,
  setTab,
  saveRights,
  saveFields,
  ...shown
}: Shown & {
  side: RefObject<HTMLDivElement | null>
  setTab: (tab: RoleTab) => void
  saveRights: () => void
  saveFields: () => void
}) => {
  const say = useSay()
  const { of, rights, fields, tab } = shown
  return (
    <div className="p-side" ref={side}>
      <RoleHead of={of} rights={rights.perms} />
      <FoldedFacts />
      <div className="p-tabs">
        <RoleTabs
          all={[
            ['rights', say(['权限', 'Rights']), rights.changed],
            ['fields', say(['字段', 'Fields']), fields.changed],
            ['members', say(['成员', 'Members']), 0],
          ]}
          tab={tab}
          setTab={setTab}
        />
        <span className="m-fill" />
        {tab === 'rights' && rights.changed > 0 && (
          <UnsavedRights of={of} rights={rights} save={saveRights} />
        )}
        {tab === 'fields' && fields.draft && fields.changed > 0 && (
          <UnsavedFields of={of} fields={fields} save={saveFields} />
        )}
      </div>
      <RoleContent {...shown} />
    </div>
  )
}
