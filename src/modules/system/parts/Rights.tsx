import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { fieldModes } from '#src/areas/people/rights.ts'
import type { Result } from '#src/contract/call.ts'
import { yuan } from '#src/domain/money.ts'
import { skipToken, useRead } from '#src/kit/data.ts'
import { Answer, Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { role as calls, type PermModule, type RoleRow } from '../contract/role.ts'
import './people.css'

/** What rights are called, by their keys. */
export const useRightNames = (modules: readonly PermModule[] | undefined) => {
  const now = useLang()
  return useMemo(() => {
    const names = new Map(
      (modules ?? []).flatMap(module =>
        module.pages.flatMap(page =>
          page.leaves.map(
            leaf => [leaf.key, `${titleIn(page, now)} · ${titleIn(leaf, now)}`] as const,
          ),
        ),
      ),
    )
    return (key: string) => names.get(key) ?? key
  }, [modules, now])
}

type Node = { id: number; title: string; redirect: string; children: Node[] }
const MenuList = ({ nodes }: { nodes: readonly Node[] }) => (
  <ul className="p-menu">
    {nodes.map(node => (
      <li key={node.id}>
        {node.redirect ? node.title : <b>{node.title}</b>}
        {node.children.length > 0 && <MenuList nodes={node.children} />}
      </li>
    ))}
  </ul>
)
/**
 * The left menu as a holder of this role alone would see it; with rights that are not saved yet,
 * with those.
 */
export const MenuPreview = ({
  row,
  perms,
  close,
}: {
  row: RoleRow
  perms: readonly string[] | undefined
  close: () => void
}) => {
  const say = useSay()
  const read = useRead(calls.preview, { id: row.id, ...(perms ? { perms: [...perms] } : {}) })
  return (
    <Window
      title={say(['{name}看到的菜单', 'The menu of {name}'], { name: row.name })}
      close={close}
      width={480}
    >
      {perms && (
        <p className="p-note">
          {say(['按尚未保存的权限预览。', 'With the rights not saved yet.'])}
        </p>
      )}
      <Answer of={read} lines={6}>
        {({ pages, menu }) =>
          pages === 0 ? (
            <Empty title={say(['没有可见的页面', 'No page at all'])} />
          ) : (
            <>
              <p className="p-count">{say(['共 {n} 个页面', '{n} pages'], { n: pages })}</p>
              <div tabIndex={0} data-autofocus style={{ maxHeight: 420, overflow: 'auto' }}>
                <MenuList nodes={menu} />
              </div>
            </>
          )
        }
      </Answer>
    </Window>
  )
}

const OnlyOne = ({
  name,
  rights,
  nameOf,
}: {
  name: string
  rights: readonly string[]
  nameOf: (key: string) => string
}) => {
  const say = useSay()
  const title = say(['只有 {name} 有', 'Only {name}'], { name })
  return (
    <div>
      <h4>
        {title} <span className="p-count">{rights.length}</span>
      </h4>
      <ul tabIndex={0} aria-label={title}>
        {rights.map(key => (
          <li key={key}>{nameOf(key)}</li>
        ))}
        {rights.length === 0 && <li className="m-muted">{say(['没有', 'None'])}</li>}
      </ul>
    </div>
  )
}
const RolesCompared = ({
  of,
  nameOf,
}: {
  of: Result<typeof calls.diff>
  nameOf: (key: string) => string
}) => {
  const say = useSay()
  return (
    <>
      <table className="p-table">
        <thead>
          <tr>
            <th />
            <th>{of.a}</th>
            <th>{of.b}</th>
          </tr>
        </thead>
        <tbody>
          <tr>
            <td>{say(['数据范围', 'Data scope'])}</td>
            <td>{of.scope.a}</td>
            <td>{of.scope.b}</td>
          </tr>
          <tr>
            <td>{say(['退款额度', 'Refund limit'])}</td>
            <td className="m-num">¥{yuan(of.refund_limit_cents.a)}</td>
            <td className="m-num">¥{yuan(of.refund_limit_cents.b)}</td>
          </tr>
          <tr>
            <td>{say(['共有权限', 'Rights in common'])}</td>
            <td colSpan={2}>{of.both}</td>
          </tr>
          {of.fields.map(field => (
            <tr key={field.key}>
              <td>{field.title}</td>
              <td>{say(fieldModes[field.a])}</td>
              <td>{say(fieldModes[field.b])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <div className="p-lists" style={{ marginTop: 12 }}>
        <OnlyOne name={of.a} rights={of.only_a} nameOf={nameOf} />
        <OnlyOne name={of.b} rights={of.only_b} nameOf={nameOf} />
      </div>
    </>
  )
}
/** What one role has and another lacks. */
export const CompareRoles = ({
  row,
  nameOf,
  close,
}: {
  row: RoleRow
  nameOf: (key: string) => string
  close: () => void
}) => {
  const say = useSay()
  const roles = useRead(calls.lst, { pageSize: 200 })
  const [other, setOther] = useState<number | undefined>(undefined)
  const read = useRead(
    calls.diff,
    other === undefined ? skipToken : { id: row.id, other_id: other },
  )
  const of = read.currentData
  return (
    <Window title={say(['比较角色：{name}', 'Compare: {name}'], { name: row.name })} close={close}>
      <div style={{ marginBottom: 12 }}>
        <HTMLSelect
          aria-label={say(['与哪个角色比较', 'Compare with'])}
          data-autofocus
          value={other ?? ''}
          onChange={event => setOther(Number(event.target.value) || undefined)}
          options={[
            { value: '', label: say(['与哪个角色比较', 'Compare with']) },
            ...(roles.data?.list ?? [])
              .filter(one => one.id !== row.id)
              .map(one => ({ value: one.id, label: one.name })),
          ]}
        />
      </div>
      {read.error && !of && other !== undefined && (
        <Failed error={read.error} retry={read.refetch} />
      )}
      {other !== undefined && !of && !read.error && <Loading />}
      {of && <RolesCompared of={of} nameOf={nameOf} />}
    </Window>
  )
}

const HeldBy = ({ of }: { of: Result<typeof calls.holders> }) => {
  const say = useSay()
  return (
    <>
      <div className="p-chips">
        {of.roles.map(one => (
          <span key={one.id} className="m-badge" data-tone={one.status === 'on' ? 'info' : 'plain'}>
            {one.name} · {one.member_count}
          </span>
        ))}
        {of.roles.length === 0 && (
          <span className="m-muted">{say(['没有角色有此权限', 'No role has it'])}</span>
        )}
      </div>
      <div
        style={{ maxHeight: 320, overflow: 'auto', marginTop: 8 }}
        tabIndex={0}
        aria-label={say(['人员', 'People'])}
      >
        <table className="p-table">
          <thead>
            <tr>
              <th>
                {say(['姓名', 'Name'])} · {of.people.length}
              </th>
              <th>{say(['部门', 'Department'])}</th>
              <th>{say(['来自角色', 'Through'])}</th>
            </tr>
          </thead>
          <tbody>
            {of.people.map(one => (
              <tr key={one.id}>
                <td>
                  {one.name} <code>{one.account}</code>
                </td>
                <td>{one.department_name ?? '—'}</td>
                <td>{one.by}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}
const FoundRights = ({
  keys,
  chosen,
  choose,
  nameOf,
}: {
  keys: readonly string[]
  chosen: string | undefined
  choose: (key: string) => void
  nameOf: (key: string) => string
}) => {
  const say = useSay()
  return (
    <div className="m-choices" role="listbox" aria-label={say(['权限', 'Rights'])}>
      {keys.map(key => (
        <div key={key} role="option" aria-selected={key === chosen} onClick={() => choose(key)}>
          {nameOf(key)} <code className="p-code">{key}</code>
        </div>
      ))}
    </div>
  )
}
/** The holders of a right: roles, and people through them. */
export const Holders = ({
  first,
  modules,
  nameOf,
  close,
}: {
  first: string | undefined
  modules: readonly PermModule[]
  nameOf: (key: string) => string
  close: () => void
}) => {
  const say = useSay()
  const [typed, setTyped] = useState('')
  const [permit, setPermit] = useState(first)
  const all = useMemo(
    () =>
      modules.flatMap(module => module.pages.flatMap(page => page.leaves.map(leaf => leaf.key))),
    [modules],
  )
  const found =
    typed.trim() === ''
      ? []
      : all
          .filter(key => nameOf(key).includes(typed.trim()) || key.includes(typed.trim()))
          .slice(0, 12)
  const choose = (key: string) => {
    setPermit(key)
    setTyped('')
  }
  const read = useRead(calls.holders, permit ? { permit } : skipToken)
  return (
    <Window title={say(['谁有此权限', 'Who has this right'])} close={close}>
      <InputGroup
        data-autofocus={!first || undefined}
        value={typed}
        onValueChange={setTyped}
        placeholder={say([
          '查找权限：页面、操作或标识，回车选第一个',
          'Find a right; Enter takes the first',
        ])}
        aria-label={say(['查找权限', 'Find a right'])}
        onKeyDown={event => {
          if (event.key === 'Enter' && found[0]) {
            event.preventDefault()
            choose(found[0])
          }
        }}
      />
      {found.length > 0 && (
        <FoundRights keys={found} chosen={permit} choose={choose} nameOf={nameOf} />
      )}
      {!permit && (
        <p className="m-told" role="status">
          {say([
            '当前行是模块或页面，不是一项权限：可先移到它下面的一项再打开，或在上面查找',
            'The row is a module or a page and no right: move to a right below it first, or find one above',
          ])}
        </p>
      )}
      {permit && (
        <p style={{ margin: '12px 0 8px' }} data-autofocus={first ? true : undefined} tabIndex={-1}>
          <b>{nameOf(permit)}</b> <code className="p-code">{permit}</code>
        </p>
      )}
      {permit && (
        <Answer of={{ ...read, data: read.currentData }} lines={6}>
          {of => <HeldBy of={of} />}
        </Answer>
      )}
    </Window>
  )
}
