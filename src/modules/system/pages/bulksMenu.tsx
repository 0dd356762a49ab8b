import { HTMLSelect, InputGroup } from '@blueprintjs/core'
import { useMemo, useState } from 'react'
import { bulksMenu as page } from '#commands/pages/system.ts'
import { bulksMenuActions as actions } from '#commands/system/people.ts'
import {
  merchantRoleKeys,
  merchantRoles,
  releaseOf,
  releases,
  VERSION,
  type MerchantRole,
} from '#src/areas/people/menu.ts'
import { comma } from '#src/domain/text.ts'
import { skipToken, useRead, useWrite } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { Badge, Fact, Facts, Section, type ToneName } from '#src/kit/show.tsx'
import { Split } from '#src/kit/split.tsx'
import { Answer, Empty, Unanswered } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Toolbar } from '#src/kit/toolbar.tsx'
import { Tree } from '#src/kit/tree.tsx'
import { Window } from '#src/kit/window.tsx'
import { useAction, useSubject } from '#src/kit/workbench.ts'
import { bulksMenu as calls, type MerchantMenuRow } from '../contract/bulksMenu.ts'
import '../parts/people.css'

const tones: Record<keyof typeof releases, ToneName> = { off: 'plain', gray: 'warn', full: 'good' }
const Release = ({ of }: { of: MerchantMenuRow }) => {
  const say = useSay()
  const release = releaseOf(of)
  return <Badge tone={tones[release]}>{say(releases[release])}</Badge>
}
const leftOut = {
  version: ['App 版本过低', 'App too old'],
  gray: ['不在灰度范围', 'Outside the gray release'],
  role: ['角色不含此页', 'Not of this role'],
  off: ['未上线', 'Offline'],
} as const

/** What an account of a role sees in a store, with the phone's app of a version. */
const Preview = ({ close }: { close: () => void }) => {
  const say = useSay()
  const [typed, setTyped] = useState('')
  const [store, setStore] = useState<{ id: number; name: string; city_name: string } | undefined>(
    undefined,
  )
  const [role, setRole] = useState<MerchantRole>('owner')
  const [version, setVersion] = useState('')
  const stores = useRead(calls.stores, { keyword: typed.trim() || undefined, pageSize: 8 })
  const read = useRead(
    calls.preview,
    store && (version === '' || VERSION.test(version))
      ? { store_id: store.id, role, ...(version ? { app_version: version } : {}) }
      : skipToken,
  )
  const choose = (one: typeof store) => {
    if (one) {
      setStore(one)
      setTyped('')
    }
  }
  return (
    <Window title={say(['按门店预览菜单', 'Preview by store'])} close={close}>
      <div style={{ display: 'flex', gap: 8, flexWrap: 'wrap' }}>
        <InputGroup
          data-autofocus
          style={{ width: 240 }}
          value={typed}
          onValueChange={setTyped}
          placeholder={say(['门店名称，回车选第一家', 'Store; Enter takes the first'])}
          aria-label={say(['门店', 'Store'])}
          onKeyDown={event => {
            if (event.key === 'Enter') {
              event.preventDefault()
              choose(stores.data?.list[0])
            }
          }}
        />
        <HTMLSelect
          aria-label={say(['商家角色', 'Merchant role'])}
          value={role}
          onChange={event => setRole(event.target.value as MerchantRole)}
          options={merchantRoleKeys.map(key => ({ value: key, label: say(merchantRoles[key]) }))}
        />
        <InputGroup
          style={{ width: 140 }}
          value={version}
          onValueChange={setVersion}
          placeholder={say(['App 版本，可空', 'App version'])}
          aria-label={say(['App 版本', 'App version'])}
          intent={version === '' || VERSION.test(version) ? 'none' : 'danger'}
        />
      </div>
      {(!store || typed.trim() !== '') && (
        <div className="m-choices" role="listbox" aria-label={say(['门店', 'Stores'])}>
          {(stores.data?.list ?? []).map(one => (
            <div
              key={one.id}
              role="option"
              aria-selected={one.id === store?.id}
              onClick={() => choose(one)}
            >
              {one.name} · {one.city_name}
            </div>
          ))}
          {stores.data?.list.length === 0 && (
            <div className="m-muted" style={{ padding: '4px 8px' }}>
              {say(['没有匹配', 'No match'])}
            </div>
          )}
        </div>
      )}
      {store && (
        <Answer of={{ ...read, data: read.currentData }} lines={6}>
          {of => (
            <div className="p-lists" style={{ marginTop: 12 }}>
              <div>
                <h4>
                  {of.store} · {of.city} · {say(merchantRoles[role])}
                </h4>
                <ul tabIndex={0} aria-label={say(['看到的菜单', 'Sees'])}>
                  {of.list.map(one => (
                    <li key={one.id} style={{ paddingLeft: one.parent_id === null ? 8 : 24 }}>
                      {one.parent_id === null ? <b>{one.title}</b> : one.title}{' '}
                      {one.gray && <Badge tone="warn">{say(releases.gray)}</Badge>}
                    </li>
                  ))}
                  {of.list.length === 0 && (
                    <li className="m-muted">{say(['什么都看不到', 'Nothing'])}</li>
                  )}
                </ul>
              </div>
              <div>
                <h4>
                  {say(['看不到', 'Does not see'])}{' '}
                  <span className="p-count">{of.left_out.length}</span>
                </h4>
                <ul tabIndex={0} aria-label={say(['看不到', 'Does not see'])}>
                  {of.left_out.map(one => (
                    <li key={one.title}>
                      {one.title} <span className="m-muted">{say(leftOut[one.why])}</span>
                    </li>
                  ))}
                </ul>
              </div>
            </div>
          )}
        </Answer>
      )}
    </Window>
  )
}

const Node = ({ of, parent }: { of: MerchantMenuRow; parent: MerchantMenuRow | undefined }) => {
  const say = useSay()
  const gray = Object.values({ ...of.gray_names.cities, ...of.gray_names.stores })
  return (
    <div className="p-side">
      <div className="p-head">
        <h2>
          {of.title}
          <Release of={of} />
        </h2>
        <p>
          {of.redirect ? <code className="p-code">{of.redirect}</code> : say(['目录', 'Directory'])}
        </p>
      </div>
      <div className="p-body">
        <Section title={say(['节点', 'Node'])}>
          <Facts>
            <Fact label={say(['上级', 'Parent'])}>
              {parent?.title ?? say(['最上层', 'Top level'])}
            </Fact>
            <Fact label={say(['下级', 'Children'])}>{of.children}</Fact>
            {of.type === 'page' && (
              <>
                <Fact label={say(['最低版本', 'Since'])}>{of.min_app_version}</Fact>
                <Fact label={say(['权限标识', 'Right'])}>
                  <code className="p-code">{of.perm}</code>
                </Fact>
              </>
            )}
          </Facts>
        </Section>
        {of.type === 'page' && (
          <Section title={say(['适用商家角色', 'Merchant roles'])}>
            {of.packages.length === 0 ? (
              <span className="m-bad">{say(['没有角色能看到它', 'No role sees it'])}</span>
            ) : (
              <span className="p-chips">
                {of.packages.map(key => (
                  <Badge key={key} tone="info">
                    {say(merchantRoles[key])}
                  </Badge>
                ))}
              </span>
            )}
          </Section>
        )}
        {of.type === 'page' && releaseOf(of) === 'gray' && (
          <Section title={say(['灰度范围', 'Gray release'])}>
            <span className="p-chips">
              {gray.map(name => (
                <Badge key={name} tone="warn">
                  {name}
                </Badge>
              ))}
            </span>
            <p className="m-muted" style={{ margin: '8px 0 0' }}>
              {say([
                '与全量互斥；结束时选择全量上线或撤下。',
                'Excludes a full release; ending it says full or withdrawn.',
              ])}
            </p>
          </Section>
        )}
      </div>
    </div>
  )
}

export default function MerchantMenu() {
  const say = useSay()
  const now = useLang()
  const read = useRead(calls.lst, {})
  const [move] = useWrite(calls.move)
  const [focused, setFocused] = usePaneState<number | undefined>('focus', undefined)
  const [role, setRole] = usePaneState<MerchantRole | ''>('role', '')
  const [previewing, setPreviewing] = useState(false)
  const rows = read.data?.list
  const nodes = useMemo(
    () => (rows ?? []).map(row => ({ ...row, key: row.id, parent: row.parent_id })),
    [rows],
  )
  const row = nodes.find(one => one.id === focused)
  const subject = useMemo(() => ({ rows: row ? [row] : [] }), [row])
  useSubject(subject)
  useAction(actions.preview, () => setPreviewing(true))
  if (!rows) return <Unanswered of={read} lines={12} />
  const pages = rows.filter(one => one.type === 'page')
  return (
    <div className="p-page">
      <Toolbar actions={Object.values(actions)} rows={subject.rows}>
        <span className="p-count">
          {say(
            [
              '{n} 个页面 · {g} 个灰度中 · {o} 个未上线',
              'Pages {n} · in gray release {g} · offline {o}',
            ],
            {
              n: pages.length,
              g: pages.filter(one => releaseOf(one) === 'gray').length,
              o: pages.filter(one => releaseOf(one) === 'off').length,
            },
          )}
        </span>
      </Toolbar>
      <Split label={say(['菜单树与节点的分隔', 'Between tree and node'])} start={56}>
        <Tree
          name="merchant"
          label={titleIn(page, now)}
          nodes={nodes}
          wordsOf={one => `${one.title} ${one.redirect}`}
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
          bar={
            <HTMLSelect
              aria-label={say(['突出某个角色的页面', 'Show the pages of a role'])}
              value={role}
              onChange={event => setRole(event.target.value as MerchantRole | '')}
              options={[
                { value: '', label: say(['全部角色', 'All roles']) },
                ...merchantRoleKeys.map(key => ({
                  value: key,
                  label: `${say(merchantRoles[key])} ${pages.filter(one => one.packages.includes(key)).length}`,
                })),
              ]}
            />
          }
          draw={one => (
            <>
              <span
                className={
                  (role === '' || one.type === 'dir' || one.packages.includes(role)) && one.visible
                    ? 'm-name'
                    : 'm-name m-muted'
                }
              >
                {one.type === 'dir' ? <b>{one.title}</b> : one.title}
              </span>
              {(one.type === 'page' ? releaseOf(one) !== 'full' : !one.visible) && (
                <Release of={one} />
              )}
              <span className="m-fill" />
              {one.type === 'page' && (
                <span className="p-count">
                  {one.packages.map(key => say(merchantRoles[key])).join(say(comma))}
                </span>
              )}
            </>
          )}
        />
        {row ? (
          <Node of={row} parent={rows.find(one => one.id === row.parent_id)} />
        ) : (
          <Empty title={say(['选择一个节点', 'Choose a node'])} />
        )}
      </Split>
      {previewing && <Preview close={() => setPreviewing(false)} />}
    </div>
  )
}
