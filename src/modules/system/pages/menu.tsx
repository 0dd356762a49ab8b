import { useMemo, useState } from 'react'
import { menu as page } from '#commands/pages/system.ts'
import { menuActions as actions } from '#commands/system/people.ts'
import { menuTypes } from '#src/areas/people/menu.ts'
import type { Result } from '#src/contract/call.ts'
import { comma } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import { useRead, useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Section } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Answer, Empty, Loading, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { Tree } from '#src/kit/tree.tsx'
import { Window } from '#src/kit/window.tsx'
import { useAction, useSubject } from '#src/kit/workbench.ts'
import { menu as calls, type MenuRow } from '../contract/menu.ts'
import '../parts/people.css'

/** What a node is known by in the code: a page's address, an action's right. */
const codeOf = ({ type, redirect, perm }: MenuRow) => {
  if (type === 'page') return redirect
  return type === 'action' ? perm : ''
}
const Unused = ({ close }: { close: () => void }) => {
  const say = useSay()
  const read = useRead(calls.findUnused, {})
  return (
    <Window title={say(['未使用的权限', 'Unused rights'])} close={close} width={760}>
      <Answer of={read} lines={6}>
        {({ unused, unknown }) => (
          <div className="p-lists">
            <div>
              <h4>
                {say(['除超级管理员外没有角色拥有', 'No role has it but the super administrator'])}{' '}
                <span className="p-count">{unused.length}</span>
              </h4>
              <ul tabIndex={0} data-autofocus aria-label={say(['未使用的权限', 'Unused rights'])}>
                {unused.map(one => (
                  <li key={one.perm}>
                    {one.title} <code className="p-code">{one.perm}</code>
                  </li>
                ))}
                {unused.length === 0 && <li className="m-muted">{say(['没有', 'None'])}</li>}
              </ul>
            </div>
            <div>
              <h4>
                {say(['角色里有、系统里已没有', 'In roles, but in nothing else'])}{' '}
                <span className="p-count">{unknown.length}</span>
              </h4>
              <ul tabIndex={0} aria-label={say(['已失效的权限', 'Dead rights'])}>
                {unknown.map(one => (
                  <li key={one.perm}>
                    <code className="p-code">{one.perm}</code>
                    <br />
                    {one.roles.join(say(comma))}
                  </li>
                ))}
                {unknown.length === 0 && <li className="m-muted">{say(['没有', 'None'])}</li>}
              </ul>
            </div>
          </div>
        )}
      </Answer>
    </Window>
  )
}
const GrantedTo = ({ roles }: { roles: Result<typeof calls.grants>['roles'] | undefined }) => {
  const say = useSay()
  if (!roles) return <Loading lines={2} />
  if (roles.length === 0)
    return (
      <span className="m-muted">
        {say(['除超级管理员外没有', 'None but the super administrator'])}
      </span>
    )
  return (
    <span className="p-chips">
      {roles.map(one => (
        <Badge key={one.id} tone="info">
          {one.name}
        </Badge>
      ))}
    </span>
  )
}
const Node = ({ of, above }: { of: MenuRow; above: MenuRow | undefined }) => {
  const say = useSay()
  const grants = useRead(calls.grants, { id: of.id })
  return (
    <div className="p-side">
      <div className="p-head">
        <h2>
          {of.title}
          <Badge>{say(menuTypes[of.type])}</Badge>
          {!of.visible && <Badge tone="warn">{say(['已隐藏', 'Hidden'])}</Badge>}
          {of.vanished_at !== null && <Badge tone="bad">{say(['已移除', 'Vanished'])}</Badge>}
        </h2>
        <p>{of.en || '—'}</p>
      </div>
      <div className="p-body">
        {of.vanished_at !== null && (
          <p className="p-note" data-tone="warn" style={{ margin: 12 }}>
            {say(
              [
                '控制台自 {when} 起不再有它，菜单中不再显示；确认无用后可删除。',
                'The console lacks it since {when}; it is not shown. Delete it once it is of no use.',
              ],
              { when: timeFull(of.vanished_at) },
            )}
          </p>
        )}
        <Section title={say(['节点', 'Node'])}>
          <Facts>
            {of.redirect && (
              <Fact label={say(['路径', 'Path'])} wide>
                <code className="p-code">{of.redirect}</code>
              </Fact>
            )}
            {of.perm && (
              <Fact
                label={of.type === 'dir' ? say(['模块', 'Module']) : say(['权限标识', 'Right'])}
                wide
              >
                <code className="p-code">{of.perm}</code>
              </Fact>
            )}
            <Fact label={say(['上级', 'Parent'])}>
              {above?.title ?? say(['最上层', 'Top level'])}
            </Fact>
            <Fact label={say(['下级', 'Children'])}>{of.children}</Fact>
            {of.type === 'page' && (
              <Fact label={say(['页面缓存', 'Kept alive'])}>
                {of.keep_alive ? say(['保留', 'Yes']) : say(['不保留', 'No'])}
              </Fact>
            )}
            {of.type === 'page' && !of.listed && (
              <Fact label={say(['菜单', 'Menu'])}>
                {say(['需要参数，不能独立显示', 'Needs parameters'])}
              </Fact>
            )}
            <Fact label={say(['图标', 'Icon'])}>{of.icon || '—'}</Fact>
            <Fact label={say(['未上线区域', 'Not launched in'])}>
              {of.hidden_regions.join(say(comma)) || '—'}
            </Fact>
          </Facts>
        </Section>
        {of.type !== 'dir' && (
          <Section title={say(['授权的角色', 'Roles that have it'])}>
            <GrantedTo roles={grants.data?.roles} />
            <p className="m-muted" style={{ margin: '8px 0 0' }}>
              {say(['隐藏只影响菜单，不收回权限。', 'Hiding takes away the entry, not the right.'])}
            </p>
          </Section>
        )}
      </div>
    </div>
  )
}

export default function ConsoleMenu() {
  const say = useSay()
  const now = useLang()
  const read = useRead(calls.lst, {})
  const [move] = useWrite(calls.move)
  const [focused, setFocused] = usePaneState<number | undefined>('focus', undefined)
  const [finding, setFinding] = useState(false)
  const rows = read.data?.list
  const nodes = useMemo(
    () => (rows ?? []).map(row => ({ ...row, key: row.id, parent: row.parent_id })),
    [rows],
  )
  const row = nodes.find(one => one.id === focused)
  const subject = useMemo(() => ({ rows: row ? [row] : [] }), [row])
  useSubject(subject)
  useAction(actions.findUnused, () => setFinding(true))
  if (!rows) return <Unanswered of={read} lines={12} />
  const gone = rows.filter(one => one.vanished_at !== null).length
  return (
    <div className="p-page">
      <Toolbar actions={Object.values(actions)} rows={subject.rows}>
        {read.data!.missing > 0 && (
          <Badge tone="warn">
            {say(['有 {n} 项未同步', '{n} not in the menu yet'], { n: read.data!.missing })}
          </Badge>
        )}
        {gone > 0 && <Badge tone="bad">{say(['{n} 项已消失', '{n} vanished'], { n: gone })}</Badge>}
        <span className="p-count">{say(['{n} 个节点', '{n} nodes'], { n: rows.length })}</span>
      </Toolbar>
      <Split label={say(['菜单树与节点的分隔', 'Between tree and node'])} start={56}>
        <Tree
          name="menu"
          label={titleIn(page, now)}
          nodes={nodes}
          wordsOf={one =>
            `${one.title} ${one.en} ${one.redirect} ${one.type === 'dir' ? '' : (one.perm ?? '')}`
          }
          focused={focused}
          onFocus={key => setFocused(key as number)}
          levels={2}
          onPlace={(one, parent, at) =>
            void move({
              id: one.id,
              version: one.version,
              ...(parent === null ? {} : { parent_id: parent }),
              sort: at,
            }).catch(() => {})
          }
          draw={one => (
            <>
              <span
                className={one.visible && one.vanished_at === null ? 'm-name' : 'm-name m-muted'}
              >
                {one.type === 'dir' ? <b>{one.title}</b> : one.title}
              </span>
              {!one.visible && (
                <Badge tone={one.listed ? 'warn' : 'plain'}>
                  {one.listed ? say(['已隐藏', 'Hidden']) : say(['不入菜单', 'Not listed'])}
                </Badge>
              )}
              {one.vanished_at !== null && <Badge tone="bad">{say(['已移除', 'Vanished'])}</Badge>}
              {one.keep_alive && <Badge tone="info">{say(['缓存', 'Kept alive'])}</Badge>}
              {one.hidden_regions.length > 0 && (
                <Badge tone="warn">
                  {say(['{n} 个区域未上线', 'Off in {n} regions'], {
                    n: one.hidden_regions.length,
                  })}
                </Badge>
              )}
              <span className="m-fill" />
              <code className="p-code">{codeOf(one)}</code>
            </>
          )}
        />
        {row ? (
          <Node key={row.id} of={row} above={rows.find(one => one.id === row.parent_id)} />
        ) : (
          <Empty title={say(['选择一个节点', 'Choose a node'])} />
        )}
      </Split>
      {finding && <Unused close={() => setFinding(false)} />}
    </div>
  )
}
