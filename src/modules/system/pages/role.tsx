import { Button } from '@blueprintjs/core'
import { Cross } from '@blueprintjs/icons'
import { useEffect, useRef, useState } from 'react'
import { role as page } from '#commands/pages/system.ts'
import { roleActions as actions } from '#commands/system/people.ts'
import { switches } from '#src/areas/people/people.ts'
import { skipToken, useRead, type ReadState } from '#src/kit/data.ts'
import { useExport } from '#src/kit/exporting.ts'
import { Choice, Keyword } from '#src/kit/filters.tsx'
import type { Column } from '#src/kit/grid.tsx'
import { List } from '#src/kit/list.tsx'
import { ListDetail } from '#src/kit/listdetail.tsx'
import { usePaneState } from '#src/kit/memory.ts'
import { Money, When } from '#src/kit/show.tsx'
import { Empty, Failed, Loading } from '#src/kit/states.tsx'
import { titleIn, useLang, useSay } from '#src/kit/text.ts'
import { useList } from '#src/kit/uselist.ts'
import { useAction, useWorkbench } from '#src/kit/workbench.ts'
import { role as calls, type PermModule, type RoleRow } from '../contract/role.ts'
import { CompareRoles, Holders, MenuPreview, useRightNames } from '../parts/Rights.tsx'
import { RoleState, ScopeText } from '../parts/roleCells.tsx'
import {
  useFieldsDraft,
  useFieldsSaved,
  useRightsDraft,
  type RightsChange,
  type RoleDetail,
} from '../parts/roleDrafts.ts'
import { RoleSide, type RoleTab } from '../parts/RoleSide.tsx'
import { SaveRights } from '../parts/SaveRights.tsx'
import '../parts/people.css'

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
  { key: 'status', title: ['状态', 'State'], width: 76, cell: row => <RoleState of={row} /> },
  { key: 'code', title: ['编码', 'Code'], width: 120, optional: true, cell: row => row.code },
  {
    key: 'updated',
    title: ['更新', 'Updated'],
    width: 110,
    optional: true,
    cell: row => <When at={row.updated_at} />,
  },
]
type Dialog = 'save' | 'menu' | 'diff' | 'holders'
const RoleDialogs = ({
  open,
  of,
  modules,
  rights,
  leaf,
  nameOf,
  close,
  refetch,
}: {
  open: Dialog | undefined
  of: RoleDetail | undefined
  modules: readonly PermModule[] | undefined
  rights: RightsChange
  leaf: string | undefined
  nameOf: (key: string) => string
  close: () => void
  refetch: () => void
}) => (
  <>
    {open === 'save' && of && (
      <SaveRights
        row={{ ...of.role, version: rights.draft?.version ?? of.role.version }}
        base={[...rights.base]}
        perms={[...rights.perms]}
        nameOf={nameOf}
        close={close}
        done={() => {
          rights.set(of.role.id, undefined)
          close()
        }}
        rebase={(current, mine) => {
          rights.rebase(current, mine)
          refetch()
        }}
      />
    )}
    {open === 'menu' && of && (
      <MenuPreview
        row={of.role}
        perms={rights.changed > 0 ? [...rights.perms] : undefined}
        close={close}
      />
    )}
    {open === 'diff' && of && <CompareRoles row={of.role} nameOf={nameOf} close={close} />}
    {open === 'holders' && modules && (
      <Holders first={leaf} modules={modules} nameOf={nameOf} close={close} />
    )}
  </>
)
const NotRead = ({ reads }: { reads: readonly ReadState<unknown>[] }) => {
  const failed = reads.find(read => read.error)
  return failed?.error ? (
    <Failed error={failed.error} retry={failed.refetch} />
  ) : (
    <Loading lines={14} />
  )
}

export default function Roles() {
  const say = useSay()
  const now = useLang()
  const { toast } = useWorkbench()
  const list = useList(calls.lst)
  const tree = useRead(calls.tree, {})
  const modules = tree.data?.modules
  const nameOf = useRightNames(modules)
  const id = list.focused
  const detail = useRead(calls.detail, id === undefined ? skipToken : { id })
  const of = detail.data?.role.id === id ? detail.data : undefined
  const [tab, setTab] = usePaneState<RoleTab>('tab', 'rights')
  const rights = useRightsDraft(id, of)
  const fields = useFieldsDraft(id, of)
  const carryFields = useFieldsSaved(fields.set)
  const [leaf, setLeaf] = useState<string | undefined>(undefined)
  const [open, setOpen] = useState<Dialog | undefined>(undefined)
  const sideBox = useRef<HTMLDivElement>(null)
  const dialog = (what: Dialog) => () => {
    if (of || what === 'holders') setOpen(what)
  }
  useAction(actions.setPerms, () => {
    if (rights.changed === 0) toast(say(['权限没有变化', 'Nothing changed']), 'none')
    else dialog('save')()
  })
  const saveFields = () => {
    if (of && fields.draft) void carryFields(of, fields.draft)
  }
  useAction(actions.setFields, () => {
    if (of && fields.draft && fields.changed > 0) saveFields()
    else setTab('fields')
  })
  useAction(actions.preview, dialog('menu'))
  useAction(actions.diff, dialog('diff'))
  useAction(actions.holders, dialog('holders'))
  useExport(actions.export, calls.export)
  useEffect(() => setLeaf(undefined), [id])
  const side =
    of && modules ? (
      <RoleSide
        of={of}
        modules={modules}
        rights={rights}
        fields={fields}
        side={sideBox}
        tab={tab}
        setTab={setTab}
        leaf={leaf}
        setLeaf={setLeaf}
        showHolders={() => setOpen('holders')}
        saveRights={() => setOpen('save')}
        saveFields={saveFields}
      />
    ) : (
      <NotRead reads={[detail, tree]} />
    )
  return (
    <>
      <ListDetail label={say(['角色与权限的分隔', 'Between roles and rights'])} work>
        <List
          of={list}
          label={titleIn(page, now)}
          columns={columns}
          actions={Object.values(actions)}
          onOpen={() =>
            sideBox.current
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
        {id === undefined ? <Empty title={say(['选择一个角色', 'Choose a role'])} /> : side}
      </ListDetail>
      <RoleDialogs
        open={open}
        of={of}
        modules={modules}
        rights={rights}
        leaf={leaf}
        nameOf={nameOf}
        close={() => setOpen(undefined)}
        refetch={detail.refetch}
      />
    </>
  )
}
