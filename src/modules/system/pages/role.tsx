import { Button } from '@blueprintjs/core'
import { Cross, Undo } from '@blueprintjs/icons'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { role as page } from '#commands/pages/system.ts'
import { roleActions as actions } from '#commands/system/people.ts'
import { builtinRole, SUPER_ADMIN, switches } from '#src/areas/people/people.ts'
import {
  diffOf,
  fieldModes,
  modeFits,
  scopeTypes,
  viewOf,
  type Diff,
  type FieldMode,
} from '#src/areas/people/rights.ts'
import type { Result } from '#src/contract/call.ts'
import { colon, comma } from '#src/domain/text.ts'
import { skipToken, useRead, useWrite, type CallError } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { FoldedFacts } from '#src/kit/inspector.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { PressButton, useLacks } from '#src/kit/pressable.tsx'
import { Badge, Money, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { stepRight } from '#src/kit/steps.ts'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { Tree } from '#src/kit/tree.tsx'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { role as calls, type PermModule, type RoleRow } from '../contract/role.ts'
import { CompareRoles, Holders, MenuPreview, SaveRights, useRightNames } from '../parts/Rights.tsx'
import { settleParts } from '../parts/settle.ts'
import '../parts/people.css'

type Detail = Result<typeof calls.detail>
/** What was changed and not saved; `base` and `version` are what it was changed from. */
type Draft = { version: number; base: string[]; perms: string[] }
type FieldDraft = {
  version: number
  base: Record<string, FieldMode>
  rules: Record<string, FieldMode>
}
type Leaf = {
  key: string
  parent: string | null
  kind: 'module' | 'page' | 'leaf'
  words: string
  danger?: boolean
  mine?: boolean
}

const ScopeText = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  const names = Object.values(of.scope_names)
  return (
    <span title={names.join(say(comma))}>
      {say(scopeTypes[of.scope_type])}
      {names.length > 0 &&
        `${say(colon)}${names.slice(0, 3).join(say(comma))}${names.length > 3 ? '…' : ''}`}
    </span>
  )
}
const columns: readonly Column<RoleRow>[] = [
  {
    key: 'name',
    title: ['角色', 'Role'],
    width: 120,
    grow: true,
    cell: row => row.name,
    words: row => row.remark ?? row.name,
  },
  {
    key: 'members',
    title: ['成员', 'Members'],
    width: 60,
    align: 'end',
    cell: row => row.member_count,
  },
  { key: 'perms', title: ['权限', 'Rights'], width: 60, align: 'end', cell: row => row.perm_count },
  {
    key: 'scope',
    title: ['数据范围', 'Data scope'],
    width: 130,
    cell: row => <ScopeText of={row} />,
  },
  {
    key: 'limit',
    title: ['退款额度', 'Refund limit'],
    width: 110,
    align: 'end',
    cell: row => <Money cents={row.refund_limit_cents} />,
  },
  { key: 'status', title: ['状态', 'State'], width: 76, cell: row => <State of={row} /> },
  { key: 'code', title: ['编码', 'Code'], width: 120, optional: true, cell: row => row.code },
  {
    key: 'updated',
    title: ['更新', 'Updated'],
    width: 110,
    optional: true,
    cell: row => <When at={row.updated_at} />,
  },
]
const State = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  return <Badge tone={of.status === 'on' ? 'good' : 'plain'}>{say(switches[of.status])}</Badge>
}

const Matrix = ({
  detail,
  modules,
  perms,
  base,
  change,
  onLeaf,
  bar,
}: {
  detail: Detail
  modules: readonly PermModule[]
  perms: ReadonlySet<string>
  base: ReadonlySet<string>
  change: (next: Set<string>) => void
  onLeaf: (leaf: string | undefined) => void
  bar: React.ReactNode
}) => {
  const say = useSay()
  const now = useLang()
  const [focused, setFocused] = usePaneState<string | undefined>('matrix', undefined)
  const nodes = useMemo(
    () =>
      modules.flatMap((module): Leaf[] => [
        { key: `m:${module.key}`, parent: null, kind: 'module', words: titleIn(module, now) },
        ...module.pages.flatMap((one): Leaf[] => [
          {
            key: `p:${one.path}`,
            parent: `m:${module.key}`,
            kind: 'page',
            words: titleIn(one, now),
          },
          ...one.leaves.map((leaf): Leaf => ({
            key: leaf.key,
            parent: `p:${one.path}`,
            kind: 'leaf',
            words: titleIn(leaf, now),
            danger: leaf.danger,
            mine: leaf.mine,
          })),
        ]),
      ]),
    [modules, now],
  )
  const below = useMemo(() => {
    const leaves = new Map<string, string[]>()
    for (const module of modules) {
      leaves.set(
        `m:${module.key}`,
        module.pages.flatMap(one => one.leaves.map(leaf => leaf.key)),
      )
      for (const one of module.pages)
        leaves.set(
          `p:${one.path}`,
          one.leaves.map(leaf => leaf.key),
        )
    }
    return leaves
  }, [modules])
  const mine = useMemo(
    () => new Set(nodes.filter(node => node.mine).map(node => node.key)),
    [nodes],
  )
  const known = useMemo(
    () => new Set(nodes.filter(node => node.kind === 'leaf').map(node => node.key)),
    [nodes],
  )
  const focus = (key: string) => {
    setFocused(key)
    onLeaf(known.has(key) ? key : undefined)
  }
  const tick = (leaves: readonly string[], on: boolean) => {
    const next = new Set(perms)
    for (const leaf of leaves) {
      if (on) {
        next.add(leaf)
        if (known.has(viewOf(leaf))) next.add(viewOf(leaf))
      } else next.delete(leaf)
      // Without its view none of a page's actions is of use.
      if (!on && leaf === viewOf(leaf))
        for (const other of known) if (viewOf(other) === leaf) next.delete(other)
    }
    change(next)
  }
  return (
    <Tree
      name="matrix"
      label={say(['权限', 'Rights'])}
      nodes={nodes}
      wordsOf={node => (node.kind === 'leaf' ? `${node.words} ${node.key}` : node.words)}
      focused={focused}
      onFocus={key => focus(key as string)}
      beside
      levels={1}
      bar={bar}
      ticks={{
        on: perms,
        change: (leaves, on) => tick(leaves as string[], on),
        locked: key =>
          detail.role.code === SUPER_ADMIN
            ? say(builtinRole)
            : mine.has(key as string)
              ? undefined
              : say([
                  '你没有这项权限，不能授予或收回',
                  'You lack this right, so you can neither give nor take it',
                ]),
      }}
      draw={node =>
        node.kind === 'leaf' ? (
          <>
            <span className="m-name">{node.words}</span>
            {node.danger && <Badge tone="bad">{say(['危险', 'Danger'])}</Badge>}
            {perms.has(node.key) !== base.has(node.key) && (
              <Badge tone={perms.has(node.key) ? 'good' : 'warn'}>
                {perms.has(node.key) ? say(['新增', 'Added']) : say(['移除', 'Removed'])}
              </Badge>
            )}
            <span className="m-fill" />
            <code className="p-code">{node.key}</code>
          </>
        ) : (
          <>
            <span className="m-name">
              {node.kind === 'module' ? <b>{node.words}</b> : node.words}
            </span>
            <span className="m-fill" />
            <span className="p-count">
              {below.get(node.key)!.filter(key => perms.has(key)).length} /{' '}
              {below.get(node.key)!.length}
            </span>
          </>
        )
      }
    />
  )
}

const modes = ['default', 'show', 'mask', 'hide'] as const
const Modes = ({
  label,
  value,
  byDefault,
  mine,
  locked,
  change,
}: {
  label: string
  value: FieldMode | undefined
  byDefault: FieldMode
  mine: FieldMode
  locked: boolean
  change: (next: FieldMode | undefined) => void
}) => {
  const say = useSay()
  const may = (one: (typeof modes)[number]) =>
    !locked && (one === 'default' ? modeFits(mine, byDefault) : modeFits(mine, one))
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const by = stepRight(event)
    if (!by) return
    event.preventDefault()
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('button')]
    const to = all[all.indexOf(document.activeElement as HTMLElement) + by]
    to?.focus()
    to?.click()
  }
  return (
    <div className="p-modes" role="radiogroup" aria-label={label} onKeyDown={onKeyDown}>
      {modes.map(one => {
        const on = (value ?? 'default') === one
        return (
          <button
            key={one}
            type="button"
            role="radio"
            aria-checked={on}
            aria-disabled={!may(one) && !on}
            tabIndex={on ? 0 : -1}
            title={may(one) || on ? undefined : say(['超出你自己的权限', 'Beyond your own rights'])}
            onClick={() => {
              if (may(one)) change(one === 'default' ? undefined : one)
            }}
          >
            {one === 'default'
              ? say(['默认（{mode}）', 'Default ({mode})'], { mode: say(fieldModes[byDefault]) })
              : say(fieldModes[one])}
          </button>
        )
      })}
    </div>
  )
}
const Fields = ({
  detail,
  rules,
  change,
}: {
  detail: Detail
  rules: Readonly<Record<string, FieldMode>>
  change: (next: Record<string, FieldMode>) => void
}) => {
  const say = useSay()
  return (
    <div className="p-body" style={{ padding: '8px 12px' }}>
      <table className="p-table">
        <thead>
          <tr>
            <th>{say(['字段', 'Field'])}</th>
            <th>{say(['此角色看到的', 'What this role sees'])}</th>
          </tr>
        </thead>
        <tbody>
          {detail.fields.map(field => (
            <tr key={field.key}>
              <td>
                {field.title}
                <br />
                <code>{field.key}</code>
              </td>
              <td>
                <Modes
                  label={field.title}
                  value={rules[field.key]}
                  byDefault={field.default_mode}
                  mine={field.mine}
                  locked={
                    detail.role.code === SUPER_ADMIN ||
                    !modeFits(field.mine, detail.field_rules[field.key] ?? field.default_mode)
                  }
                  change={next => {
                    const { [field.key]: _, ...rest } = rules
                    change(next ? { ...rest, [field.key]: next } : rest)
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
const Members = ({ of }: { of: RoleRow }) => {
  const say = useSay()
  const { run } = useWorkbench()
  const read = useRead(calls.members, { id: of.id, pageSize: 200 })
  if (!read.data)
    return read.error ? <Failed error={read.error} retry={read.refetch} /> : <Loading />
  if (read.data.list.length === 0)
    return (
      <Empty title={say(['还没有成员', 'No members yet'])}>
        <Button onClick={() => void run(actions.addMembers, [of])}>
          {titleIn(actions.addMembers, 'zh')}
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

export default function Roles() {
  const say = useSay()
  const now = useLang()
  const { toast, settle } = useWorkbench()
  const lacks = useLacks()
  const list = useList(calls.lst)
  const tree = useRead(calls.tree, {})
  const modules = tree.data?.modules
  const nameOf = useRightNames(modules)
  const id = list.focused
  const detail = useRead(calls.detail, id === undefined ? skipToken : { id })
  const of = detail.data?.role.id === id ? detail.data : undefined
  const [tab, setTab] = usePaneState<'rights' | 'fields' | 'members'>('tab', 'rights')
  const [drafts, setDrafts] = usePaneState<Readonly<Record<number, Draft>>>('drafts', {})
  const [fieldDrafts, setFieldDrafts] = usePaneState<Readonly<Record<number, FieldDraft>>>(
    'fields',
    {},
  )
  const [leaf, setLeaf] = useState<string | undefined>(undefined)
  const [open, setOpen] = useState<'save' | 'menu' | 'diff' | 'holders' | undefined>(undefined)
  const [saveFields] = useWrite(calls.setFields)
  const side = useRef<HTMLDivElement>(null)
  const draft = id === undefined ? undefined : drafts[id]
  const base = useMemo(() => new Set(draft?.base ?? of?.perms ?? []), [draft, of])
  const perms = useMemo(() => new Set(draft?.perms ?? of?.perms ?? []), [draft, of])
  const changes = diffOf([...base], [...perms])
  const changed = changes.added.length + changes.removed.length
  const fieldDraft = id === undefined ? undefined : fieldDrafts[id]
  const rules = fieldDraft?.rules ?? of?.field_rules ?? {}
  const ruled = fieldDraft?.base ?? of?.field_rules ?? {}
  const fieldsChanged = [...new Set([...Object.keys(rules), ...Object.keys(ruled)])].filter(
    key => rules[key] !== ruled[key],
  ).length

  const setDraft = (of: number, next: Draft | undefined) => {
    const { [of]: _, ...rest } = drafts
    setDrafts(next ? { ...rest, [of]: next } : rest)
  }
  const setFieldDraft = (of: number, next: FieldDraft | undefined) => {
    const { [of]: _, ...rest } = fieldDrafts
    setFieldDrafts(next ? { ...rest, [of]: next } : rest)
  }
  const change = (next: Set<string>) => {
    if (of)
      setDraft(of.role.id, {
        version: draft?.version ?? of.role.version,
        base: draft?.base ?? of.perms,
        perms: [...next].sort(),
      })
  }
  const rebase = (current: { perms: string[]; version: number }, mine: Diff | null) => {
    if (id === undefined) return
    setDraft(
      id,
      mine
        ? {
            version: current.version,
            base: current.perms,
            perms: [
              ...new Set([
                ...current.perms.filter(perm => !mine.removed.includes(perm)),
                ...mine.added,
              ]),
            ].sort(),
          }
        : undefined,
    )
    detail.refetch()
  }
  const dialog = (what: NonNullable<typeof open>) => () => {
    if (of || what === 'holders') setOpen(what)
  }
  useAction(actions.setPerms, () => {
    if (changed === 0) toast(say(['权限没有变化', 'Nothing changed']), 'none')
    else dialog('save')()
  })
  /**
   * Saves the fields; what somebody else made of them meanwhile is settled field by field, and
   * saved over the newest.
   */
  const carryFields = async (detailed: Detail, draft: FieldDraft) => {
    const { id } = detailed.role
    for (let mine = draft; ;) {
      const refused = await saveFields(
        { id, version: mine.version, fieldRules: mine.rules },
        { quiet: true },
      ).then(
        () => undefined,
        (fault: CallError) => fault,
      )
      if (!refused) {
        setFieldDraft(id, undefined)
        toast(say(['字段权限已保存', 'Field rights saved']), 'success')
        return
      }
      const now =
        refused.status === 409
          ? (refused.data?.current as
              | { version: number; field_rules: FieldDraft['rules'] }
              | undefined)
          : undefined
      if (!now) {
        return
      }
      const title = (key: string) => detailed.fields.find(field => field.key === key)?.title ?? key
      const settled = await settleParts(settle, {
        base: mine.base,
        now: now.field_rules,
        mine: mine.rules,
        by: refused.data?.by,
        label: key => [title(key), title(key)],
        told: mode => say(mode ? fieldModes[mode] : ['默认', 'Default']),
      })
      if (!settled) return
      mine = {
        version: now.version,
        base: now.field_rules,
        rules: Object.fromEntries(
          Object.entries(settled).flatMap(([key, mode]) => (mode ? [[key, mode]] : [])),
        ),
      }
      setFieldDraft(id, mine)
    }
  }
  useAction(actions.setFields, () => {
    if (of && fieldDraft && fieldsChanged > 0) void carryFields(of, fieldDraft)
    else setTab('fields')
  })
  useAction(actions.preview, dialog('menu'))
  useAction(actions.diff, dialog('diff'))
  useAction(actions.holders, dialog('holders'))
  useExport(actions.export, calls.export)
  useEffect(() => setLeaf(undefined), [id])
  const tabs = [
    ['rights', say(['权限', 'Rights']), changed],
    ['fields', say(['字段', 'Fields']), fieldsChanged],
    ['members', say(['成员', 'Members']), 0],
  ] as const
  const onTabKey = (event: KeyboardEvent) => {
    const by = stepRight(event)
    if (!by) return
    event.preventDefault()
    setTab(tabs[(tabs.findIndex(([key]) => key === tab) + by + tabs.length) % tabs.length]![0])
    const bar = event.currentTarget
    requestAnimationFrame(() => bar.querySelector<HTMLElement>('[aria-selected=true]')?.focus())
  }
  return (
    <>
      <ListDetail label={say(['角色与权限的分隔', 'Between roles and rights'])} work>
        <List
          of={list}
          label={titleIn(page, now)}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={() =>
            side.current
              ?.querySelector<HTMLElement>('.m-tree, [role=radio][tabindex="0"], table button')
              ?.focus()
          }
          filters={
            <>
              <Keyword of={list} placeholder={say(['角色名称或编码', 'Name or code'])} />
              <Choice
                of={list}
                by="status"
                label={say(['状态', 'State'])}
                options={Object.entries(switches).map(([value, text]) => ({
                  value,
                  label: say(text),
                }))}
              />
              {list.input.permit && (
                <Button
                  size="small"
                  variant="outlined"
                  endIcon={<Cross size={12} />}
                  onClick={() => list.filter({ permit: undefined })}
                >
                  {say(['有权限：{name}', 'Has: {name}'], { name: nameOf(list.input.permit) })}
                </Button>
              )}
            </>
          }
        />
        {id === undefined ? (
          <Empty title={say(['选择一个角色', 'Choose a role'])} />
        ) : !of || !modules ? (
          detail.error ? (
            <Failed error={detail.error} retry={detail.refetch} />
          ) : tree.error ? (
            <Failed error={tree.error} retry={tree.refetch} />
          ) : (
            <Loading lines={14} />
          )
        ) : (
          <div className="p-side" ref={side}>
            <div className="p-head">
              <h2>
                {of.role.name}
                <State of={of.role} />
                {of.role.code === SUPER_ADMIN && (
                  <Badge tone="info">{say(['内置，不可更改', 'Built in'])}</Badge>
                )}
              </h2>
              <p>
                {of.role.remark && <>{of.role.remark} · </>}
                {say(['{n} 名成员 · {p} 项权限', 'Members {n} · Rights {p}'], {
                  n: of.role.member_count,
                  p: perms.size.toLocaleString(),
                })}{' '}
                · <ScopeText of={of.role} /> · {say(['退款额度', 'Refund limit'])}{' '}
                <Money cents={of.role.refund_limit_cents} sign />
              </p>
            </div>
            <FoldedFacts />
            <div className="p-tabs">
              <div
                className="m-tabs"
                role="tablist"
                aria-label={say(['角色的内容', 'Parts of the role'])}
                onKeyDown={onTabKey}
              >
                {tabs.map(([key, title, n]) => (
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
              <span className="m-fill" />
              {tab === 'rights' && changed > 0 && (
                <>
                  <span className="p-count">
                    +{changes.added.length} −{changes.removed.length}
                  </span>
                  <Button
                    size="small"
                    variant="minimal"
                    icon={<Undo />}
                    onClick={() => setDraft(of.role.id, undefined)}
                  >
                    {say(['还原', 'Revert'])}
                  </Button>
                  <PressButton
                    size="small"
                    intent="primary"
                    why={lacks(actions.setPerms)}
                    onClick={() => setOpen('save')}
                  >
                    {say(['保存…', 'Save…'])}
                  </PressButton>
                </>
              )}
              {tab === 'fields' && fieldDraft && fieldsChanged > 0 && (
                <>
                  <span className="p-count">
                    {say(['{f} 项改动，影响 {n} 人', '{f} changed, affects {n}'], {
                      f: fieldsChanged,
                      n: of.role.member_count,
                    })}
                  </span>
                  <Button
                    size="small"
                    variant="minimal"
                    icon={<Undo />}
                    onClick={() => setFieldDraft(of.role.id, undefined)}
                  >
                    {say(['还原', 'Revert'])}
                  </Button>
                  <PressButton
                    size="small"
                    intent="primary"
                    why={lacks(actions.setFields)}
                    onClick={() => void carryFields(of, fieldDraft)}
                  >
                    {say(['保存字段', 'Save fields'])}
                  </PressButton>
                </>
              )}
            </div>
            {tab === 'rights' ? (
              <div className="p-body" style={{ overflow: 'hidden' }}>
                <Matrix
                  key={of.role.id}
                  detail={of}
                  modules={modules}
                  perms={perms}
                  base={base}
                  change={change}
                  onLeaf={setLeaf}
                  bar={
                    leaf && (
                      <Button size="small" variant="minimal" onClick={() => setOpen('holders')}>
                        {say(['谁有此权限', 'Who has it'])}
                      </Button>
                    )
                  }
                />
              </div>
            ) : tab === 'fields' ? (
              <Fields
                detail={of}
                rules={rules}
                change={next =>
                  setFieldDraft(of.role.id, {
                    version: fieldDraft?.version ?? of.role.version,
                    base: ruled,
                    rules: next,
                  })
                }
              />
            ) : (
              <Members of={of.role} />
            )}
          </div>
        )}
      </ListDetail>
      {open === 'save' && of && (
        <SaveRights
          row={{ ...of.role, version: draft?.version ?? of.role.version }}
          base={[...base]}
          perms={[...perms]}
          nameOf={nameOf}
          close={() => setOpen(undefined)}
          done={() => {
            setDraft(of.role.id, undefined)
            setOpen(undefined)
          }}
          rebase={rebase}
        />
      )}
      {open === 'menu' && of && (
        <MenuPreview
          row={of.role}
          perms={changed > 0 ? [...perms] : undefined}
          close={() => setOpen(undefined)}
        />
      )}
      {open === 'diff' && of && (
        <CompareRoles row={of.role} nameOf={nameOf} close={() => setOpen(undefined)} />
      )}
      {open === 'holders' && modules && (
        <Holders first={leaf} modules={modules} nameOf={nameOf} close={() => setOpen(undefined)} />
      )}
    </>
  )
}
