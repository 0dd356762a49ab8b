import type { Action } from '#commands/command.ts'
import { publishLayout, recommendLayout } from '#commands/home.ts'
import * as shell from '#commands/shell.ts'
import { comma, say, type Text } from '#src/domain/text.ts'
import { dispatchRead, dispatchWrite, type CallError } from '#src/kit/data.ts'
import { lang, titleIn } from '#src/kit/text.ts'
import { resultName } from '#src/kit/workbench.ts'
import { layouts as calls, type LayoutRow } from '#src/modules/workbench/contract.ts'
import { layoutLink } from '../address.ts'
import type { Desk } from '../desk.ts'
import { pageAt } from '../registry.ts'
import type { Store } from '../store.ts'
import { toast } from '../toasts.tsx'
import { drifted, layoutOf, workspaceOf } from './format.ts'
import { leaves } from './tree.ts'
import { workspace, type SavedAs, type Workspace } from './workspace.ts'

const START_MS = 2500
const tell = (
  text: Text,
  tone: Parameters<typeof toast>[1] = 'success',
  values?: Record<string, string | number>,
  button?: Parameters<typeof toast>[2],
) => toast(say(text, lang(), values), tone, button)
/** A saved layout as a workspace that stands on it, or why it can't be opened. */
const standing = ({
  id,
  version,
  name,
  kind,
  may_change,
  state,
}: LayoutRow): { workspace: Workspace } | { fault: Text } => {
  const read = workspaceOf(state)
  return 'fault' in read
    ? read
    : {
        workspace: {
          ...read.workspace,
          saved: { id, version, name, kind, may_change, state: layoutOf(read.workspace) },
        },
      }
}
/**
 * What whoever never had a layout begins with: the one recommended to the first of their roles that
 * has one. Null where there is none, or nobody says so in time.
 */
export const startingLayout = async (dispatch: Store['dispatch']): Promise<Workspace | null> => {
  const late = new Promise<null>(done => {
    setTimeout(done, START_MS, null)
  })
  const answer = await Promise.race([
    dispatchRead(dispatch, calls.lst, {}, true).catch(() => null),
    late,
  ])
  const row = answer?.list.find(one => one.start)
  const read = row && standing(row)
  return read && 'workspace' in read ? read.workspace : null
}
export const isDrifted = (
  now: Pick<Workspace, 'tree' | 'byId' | 'focused' | 'maximised'>,
  saved: SavedAs,
): boolean => drifted(layoutOf(now), saved.state)

/** Everything that people do with whole layouts. One for each desk. */
export const layoutsOf = (store: Store, desk: Desk) => {
  const dispatch = store.dispatch
  const front = () => desk.workspace.focused ?? ''
  const lay = (next: Workspace, words: Text, values: Record<string, string | number>) => {
    desk.arrange(Object.keys(desk.workspace.byId), () => {
      dispatch(workspace.laid(next))
      const shut = leaves(next.tree).filter(id => {
        const page = pageAt(next.byId[id]!.at)
        return !page || !desk.me.can(page.permit)
      }).length
      const more: Text =
        shut > 0
          ? [
              `${words[0]}；{shut} 个窗格你不能打开，原因写在窗格内`,
              `${words[1]}; {shut} panes are not for you, each says why`,
            ]
          : words
      tell(
        more,
        shut > 0 ? 'warning' : 'success',
        { ...values, shut },
        { text: say(['恢复原来的布局', 'Back to what was'], lang()), does: undo },
      )
    })
  }
  const step =
    (how: 'past' | 'future', does: typeof workspace.undone | typeof workspace.redone, none: Text) =>
    () => {
      const then = desk.workspace[how].at(-1)
      if (!then) {
        tell(none, 'none')
        return
      }
      const kept = new Set(leaves(then.tree))
      desk.arrange(
        Object.keys(desk.workspace.byId).filter(id => !kept.has(id)),
        () => dispatch(does()),
      )
    }
  const undo = step('past', workspace.undone, [
    '没有可撤销的布局调整',
    'No change of the layout to undo',
  ])
  const stand = ({ id, version, name, kind, may_change }: LayoutRow) =>
    void dispatch(
      workspace.savedAs({ id, version, name, kind, may_change, state: layoutOf(desk.workspace) }),
    )
  /** Asks an action's questions and hears what its call answers. */
  const asks = async (action: Action, on: object, then: (answer: LayoutRow) => void) => {
    const stop = desk.stage(front()).perform(resultName(action), ([answer]) => then(answer))
    try {
      await desk.run(action, [], { on })
    } finally {
      stop()
    }
  }
  const now = () => {
    const state = layoutOf(desk.workspace)
    return {
      state,
      title: state.panes
        .map(({ at }) => {
          const page = pageAt(at)
          return page ? titleIn(page, lang()) : at
        })
        .join(say(comma, lang())),
    }
  }
  const saveAs = () => void asks(shell.saveLayoutAs, now(), stand)
  const open = (row: LayoutRow) => {
    const read = standing(row)
    if ('fault' in read) tell(read.fault, 'danger')
    else lay(read.workspace, ['已打开布局「{name}」', 'Opened {name}'], { name: row.name })
  }
  const overwrite = async (row: Pick<LayoutRow, 'id' | 'version'>) => {
    // What went wrong has been told: that somebody changed it meanwhile, and who.
    const saved = await dispatchWrite(dispatch, calls.overwrite, {
      id: row.id,
      version: row.version,
      state: layoutOf(desk.workspace),
    }).catch(() => undefined)
    if (!saved) return
    stand(saved)
    tell(['已保存布局「{name}」', 'Saved {name}'], 'success', { name: saved.name })
  }
  const forOthers = (action: Action) => async () => {
    const list = await dispatchRead(dispatch, calls.lst, {}, true).catch(() => {})
    if (!list) return
    const recommended = Object.fromEntries(
      list.list.flatMap(row => (row.role_id !== null ? [[row.role_id, row.version]] : [])),
    )
    await asks(action, { ...now(), recommended, name: desk.workspace.saved?.name }, stand)
  }
  const openLink = async (code: string) => {
    try {
      const { state, by_name } = await dispatchRead(dispatch, calls.linked, { code }, true)
      const read = workspaceOf(state)
      if ('fault' in read) tell(read.fault, 'danger')
      else
        lay(read.workspace, ['已打开{name}分享的布局', 'Opened the layout of {name}'], {
          name: by_name,
        })
    } catch (fault) {
      // The server can't say more of a code that was cut short.
      if ((fault as CallError).data?.fields?.['code'] !== undefined)
        tell(
          ['布局链接不完整，请向分享者重新复制', 'The layout link is not whole: ask for it again'],
          'danger',
        )
    }
  }
  const copyLink = async () => {
    const made = await dispatchWrite(dispatch, calls.link, {
      state: layoutOf(desk.workspace),
    }).catch(() => undefined)
    if (!made) return
    const url = location.origin + layoutLink(made.code)
    try {
      await navigator.clipboard.writeText(url)
      tell([
        '布局链接已复制：打开的人按自己的权限看到同样的布局',
        'Layout link copied: whoever opens it sees the same layout, by their own rights',
      ])
    } catch {
      tell(
        ['无法访问剪贴板，请手动复制：{url}', 'No access to the clipboard, copy it by hand: {url}'],
        'warning',
        { url },
      )
    }
  }
  const revert = () => {
    const { saved } = desk.workspace
    if (!saved) {
      tell(['当前布局没有保存过', 'This layout was never saved'], 'none')
      return
    }
    const read = workspaceOf(saved.state)
    if (!isDrifted(desk.workspace, saved))
      tell(['布局与已保存的一致', 'The layout is as it was saved'], 'none')
    else if ('workspace' in read)
      lay({ ...read.workspace, saved }, ['已还原到「{name}」', 'Back to {name}'], {
        name: saved.name,
      })
  }
  const save = () => {
    const { saved } = desk.workspace
    if (!saved?.may_change) saveAs()
    else void overwrite(saved)
  }
  const ofStanding = (does: (saved: SavedAs) => void) => () => {
    const { saved } = desk.workspace
    if (!saved) tell(['当前布局没有保存过', 'This layout was never saved'], 'none')
    else if (!saved.may_change)
      tell(
        ['「{name}」不是你的布局，可以另存一份', '{name} is not yours: save one of your own'],
        'warning',
        { name: saved.name },
      )
    else does(saved)
  }
  const rename = (row: Pick<LayoutRow, 'id' | 'version' | 'name'>) =>
    void asks(shell.renameLayout, row, renamed => {
      const { saved } = desk.workspace
      if (saved?.id === renamed.id)
        dispatch(workspace.savedAs({ ...saved, name: renamed.name, version: renamed.version }))
    })
  const remove = (row: Pick<LayoutRow, 'id' | 'version' | 'name'>) =>
    void asks(shell.deleteLayout, row, () => {
      if (desk.workspace.saved?.id === row.id) dispatch(workspace.savedAs(undefined))
    })
  const does: readonly (readonly [{ id: string; permit: string }, () => unknown])[] = [
    [shell.undoLayout, undo],
    [
      shell.redoLayout,
      step('future', workspace.redone, [
        '没有可重做的布局调整',
        'No change of the layout to do again',
      ]),
    ],
    [shell.saveLayout, save],
    [shell.saveLayoutAs, saveAs],
    [shell.revertLayout, revert],
    [shell.copyLayoutLink, copyLink],
    [shell.renameLayout, ofStanding(rename)],
    [shell.deleteLayout, ofStanding(remove)],
    [publishLayout, forOthers(publishLayout)],
    [recommendLayout, forOthers(recommendLayout)],
  ]
  return {
    open,
    overwrite,
    rename,
    remove,
    openLink,
    lay,
    /** Carries out what people call for by key, palette and menu. Answers how to stop. */ carryOut:
      () => {
        const stop = does.map(([{ id }, run]) => desk.global(id, () => void run()))
        desk.openLayoutLink = code => void openLink(code)
        desk.openLayout = open
        return () => {
          for (const one of stop) one()
          desk.openLayoutLink = desk.openLayout = undefined
        }
      },
  }
}
export type Layouts = ReturnType<typeof layoutsOf>
