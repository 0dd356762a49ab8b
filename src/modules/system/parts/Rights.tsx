import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { fieldModes, type Diff } from '#src/areas/people/rights.ts'
import { yuan } from '#src/domain/money.ts'
import { aside, comma } from '#src/domain/text.ts'
import { skipToken, useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { Keys } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Window } from '#src/kit/window.tsx'
import { useWorkbench } from '#src/kit/workbench.ts'
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

const Changes = ({
  title,
  of,
  nameOf,
}: {
  title: string
  of: Diff
  nameOf: (key: string) => string
}) => {
  const say = useSay()
  return (
    <div>
      <h4>
        {title}{' '}
        <span className="p-count">
          +{of.added.length} −{of.removed.length}
        </span>
      </h4>
      <ul tabIndex={0} aria-label={title}>
        {of.added.map(key => (
          <li key={key} data-kind="added">
            {nameOf(key)}
          </li>
        ))}
        {of.removed.map(key => (
          <li key={key} data-kind="removed">
            {nameOf(key)}
          </li>
        ))}
        {of.added.length + of.removed.length === 0 && (
          <li className="m-muted">{say(['没有变化', 'No change'])}</li>
        )}
      </ul>
    </div>
  )
}

type Conflict = {
  message: string
  theirs: Diff
  mine: Diff
  current: { perms: string[]; version: number }
}
/**
 * The difference and the people it touches, before rights are saved. `done` closes it when they
 * are. Where somebody saved meanwhile both differences are shown.
 */
export const SaveRights = ({
  row,
  base,
  perms,
  nameOf,
  close,
  done,
  rebase,
}: {
  row: RoleRow
  base: readonly string[]
  perms: readonly string[]
  nameOf: (key: string) => string
  close: () => void
  done: () => void
  rebase: (current: Conflict['current'], mine: Diff | null) => void
}) => {
  const say = useSay()
  const { toast } = useWorkbench()
  const diff = useRead(calls.permsDiff, { id: row.id, perms: [...perms] })
  const [save, { isLoading }] = useWrite(calls.setPerms)
  const [conflict, setConflict] = useState<Conflict | undefined>(undefined)
  const [error, setError] = useState('')
  const [saved, setSaved] = useState(false)
  const of = diff.data
  const nothing = of !== undefined && of.added.length + of.removed.length === 0
  const go = () => {
    if (!of || nothing || of.beyond.length > 0 || isLoading || saved) return
    save(
      { id: row.id, version: row.version, perms: of.perms, base: [...base] },
      { quiet: true },
    ).then(
      result => {
        toast(
          say(
            [
              '已保存：新增 {a} 项，移除 {r} 项，{n} 人下次操作起生效',
              'Saved: {a} added, {r} removed; {n} people have it from their next call',
            ],
            { a: result.added.length, r: result.removed.length, n: result.member_count },
          ),
          'success',
        )
        setSaved(true)
        done()
      },
      (fault: CallError) => {
        const data = fault.data as Partial<Conflict> | undefined
        if (fault.status === 409 && data?.theirs && data.mine && data.current)
          setConflict({
            message: fault.message,
            theirs: data.theirs,
            mine: data.mine,
            current: data.current,
          })
        else setError(fault.message)
      },
    )
  }
  const again = (mine: Diff | null) => {
    rebase(conflict!.current, mine)
    close()
  }
  return (
    <Window
      title={say(['保存权限：{name}', 'Save rights: {name}'], { name: row.name })}
      close={close}
      stage={`${of !== undefined} ${conflict !== undefined}`}
      actions={
        conflict ? (
          <>
            <Button onClick={() => again(null)}>{say(['放弃我的更改', 'Drop my changes'])}</Button>
            <Button intent="primary" data-autofocus onClick={() => again(conflict.mine)}>
              {say(['在最新权限上应用我的更改', 'Apply mine to the newest'])}
            </Button>
          </>
        ) : (
          <Button
            intent="primary"
            data-autofocus
            loading={isLoading || saved}
            disabled={!of || nothing || of.beyond.length > 0}
            onClick={go}
          >
            {say(['确认保存', 'Save'])}
            <Keys keys="↵" />
          </Button>
        )
      }
    >
      {conflict ? (
        <>
          <p className="p-note" data-tone="warn" role="alert">
            {conflict.message}
          </p>
          <div className="p-lists">
            <Changes title={say(['对方的更改', 'Theirs'])} of={conflict.theirs} nameOf={nameOf} />
            <Changes title={say(['我的更改', 'Mine'])} of={conflict.mine} nameOf={nameOf} />
          </div>
        </>
      ) : diff.error && !of ? (
        <Failed error={diff.error} retry={diff.refetch} />
      ) : !of ? (
        <Loading lines={6} />
      ) : (
        <>
          <p
            className="p-note"
            data-tone={of.beyond.length > 0 ? 'bad' : of.member_count > 0 ? 'warn' : undefined}
          >
            {of.beyond.length > 0
              ? say(['你没有这些权限，不能授予或收回：{list}', 'You lack these rights: {list}'], {
                  list: of.beyond.map(nameOf).join(say(comma)),
                })
              : nothing
                ? say(['权限没有变化', 'Nothing changed'])
                : say(
                    [
                      '影响 {n} 人{names}，下次操作起生效，无需重新登录。',
                      '{n} people{names}; from their next call, without signing in again.',
                    ],
                    {
                      n: of.member_count,
                      names:
                        of.members.length > 0
                          ? say(aside, {
                              it: `${of.members.join(say(comma))}${of.member_count > of.members.length ? '…' : ''}`,
                            })
                          : '',
                    },
                  )}
          </p>
          <div className="p-lists">
            <Changes
              title={say(['新增权限', 'Added'])}
              of={{ added: of.added, removed: [] }}
              nameOf={nameOf}
            />
            <Changes
              title={say(['移除权限', 'Removed'])}
              of={{ added: [], removed: of.removed }}
              nameOf={nameOf}
            />
          </div>
          {error && (
            <p className="m-bad" role="alert">
              {error}
            </p>
          )}
        </>
      )}
    </Window>
  )
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
      {read.error && !read.data ? (
        <Failed error={read.error} retry={read.refetch} />
      ) : !read.data ? (
        <Loading />
      ) : read.data.pages === 0 ? (
        <Empty title={say(['没有可见的页面', 'No page at all'])} />
      ) : (
        <>
          <p className="p-count">{say(['共 {n} 个页面', '{n} pages'], { n: read.data.pages })}</p>
          <div tabIndex={0} data-autofocus style={{ maxHeight: 420, overflow: 'auto' }}>
            <MenuList nodes={read.data.menu} />
          </div>
        </>
      )}
    </Window>
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
  const only = (title: string, keys: readonly string[]) => (
    <div>
      <h4>
        {title} <span className="p-count">{keys.length}</span>
      </h4>
      <ul tabIndex={0} aria-label={title}>
        {keys.map(key => (
          <li key={key}>{nameOf(key)}</li>
        ))}
        {keys.length === 0 && <li className="m-muted">{say(['没有', 'None'])}</li>}
      </ul>
    </div>
  )
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
      {of && (
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
            {only(say(['只有 {name} 有', 'Only {name}'], { name: of.a }), of.only_a)}
            {only(say(['只有 {name} 有', 'Only {name}'], { name: of.b }), of.only_b)}
          </div>
        </>
      )}
    </Window>
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
  const read = useRead(calls.holders, permit ? { permit } : skipToken)
  const of = read.currentData
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
            setPermit(found[0])
            setTyped('')
          }
        }}
      />
      {found.length > 0 && (
        <div className="m-choices" role="listbox" aria-label={say(['权限', 'Rights'])}>
          {found.map(key => (
            <div
              key={key}
              role="option"
              aria-selected={key === permit}
              onClick={() => {
                setPermit(key)
                setTyped('')
              }}
            >
              {nameOf(key)} <code className="p-code">{key}</code>
            </div>
          ))}
        </div>
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
      {permit &&
        (read.error && !of ? (
          <Failed error={read.error} retry={read.refetch} />
        ) : !of ? (
          <Loading />
        ) : (
          <>
            <div className="p-chips">
              {of.roles.map(one => (
                <span
                  key={one.id}
                  className="m-badge"
                  data-tone={one.status === 'on' ? 'info' : 'plain'}
                >
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
        ))}
    </Window>
  )
}
