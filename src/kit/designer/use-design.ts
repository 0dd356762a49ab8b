import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { useDispatch } from 'react-redux'
import { samePage } from '#src/areas/scheme/blockChanges.ts'
import { kindOf, type Block } from '#src/areas/scheme/blocks.ts'
import { keyText, type PageKey } from '#src/areas/scheme/pageKey.ts'
import type { Designed, DesignerCalls } from '#src/contract/designer.ts'
import { dispatchRead, useRead, useWrite, type CallError } from '../data.ts'
import { useUnsaved } from '../form.tsx'
import { useDraft, usePaneState } from '../memory.ts'
import { useSay } from '../text.ts'
import { useWorkbench } from '../workbench.ts'
import { mergedBlocks, mergeLines } from './merge.ts'

/** What was changed here and is not saved, and what it began from. */
type Local = { blocks: Block[]; base: Block[]; version: number }
const HISTORY = 100

/** The blocks as they were and as they were undone, step by step; words typed in one go are one step. */
const useHistory = () => {
  const [steps, setSteps] = useState<{ past: Block[][]; future: Block[][] }>({
    past: [],
    future: [],
  })
  const last = useRef<string | undefined>(undefined)
  return {
    steps,
    note: (before: Block[], typing?: string) => {
      const goesOn = typing !== undefined && typing === last.current
      last.current = typing
      setSteps(({ past }) => ({
        past: goesOn ? past : [...past, before].slice(-HISTORY),
        future: [],
      }))
    },
    /** Goes one step back or forth; answers the page as it was then, undefined where there is none. */
    step: (now: Block[], way: 'past' | 'future'): Block[] | undefined => {
      const to = steps[way].at(-1)
      if (!to) return undefined
      last.current = undefined
      const other = way === 'past' ? 'future' : 'past'
      setSteps(
        of =>
          ({
            ...of,
            [way]: of[way].slice(0, -1),
            [other]: [...of[other], now],
          }) as typeof of,
      )
      return to
    },
  }
}

const useLocal = (key: string, designed: Designed | undefined) => {
  const draft = useDraft<Local>(key)
  const [local, setLocal] = useState<Local | undefined>(undefined)
  const taken = useRef(false)
  useEffect(() => {
    if (!draft.ready || taken.current) return
    taken.current = true
    if (draft.found) setLocal(draft.found)
  }, [draft.ready, draft.found])
  const put = useCallback(
    (next: Local | undefined) => {
      taken.current = true
      setLocal(next)
      if (next && !samePage(next.blocks, next.base)) draft.keep(next)
      else draft.clear()
    },
    [draft.keep, draft.clear],
  )
  const dirty = local !== undefined && !samePage(local.blocks, local.base)
  // What was saved stays in sight until the server's answer has it.
  const isOld =
    local !== undefined && !dirty && designed !== undefined && designed.version >= local.version
  useEffect(() => {
    if (isOld) setLocal(undefined)
  }, [isOld])
  return {
    local: isOld ? undefined : local,
    put,
    dirty,
    recovered: dirty && draft.found !== undefined,
  }
}

/** What a block is called: its kind, and the words on it. */
const useBlockName = () => {
  const say = useSay()
  return (block: Block | undefined) => {
    if (!block) return say(['（已删除）', '(removed)'])
    const { title, text, hint } = block.props
    const words = [title, text, hint].find(one => typeof one === 'string' && one !== '')
    return `${say(kindOf(block.kind).title)}${words ? ` · ${String(words)}` : ''}`
  }
}
type Saved = { id: number; version: number }
type Saving = {
  key: PageKey
  designed: Designed | undefined
  local: Local | undefined
  blocks: Block[]
  dirty: boolean
  put: (next: Local | undefined) => void
  nameOf: (block: Block | undefined) => string
}
/** Sends the draft; where somebody else changed it meanwhile, both are settled first. */
const useSaving = (
  calls: DesignerCalls,
  { key, designed, local, blocks, dirty, put, nameOf }: Saving,
) => {
  const dispatch = useDispatch()
  const { toast, settle } = useWorkbench()
  const [send] = useWrite(calls.save)
  const [saving, setSaving] = useState(false)
  /** What both changed is settled block by block; undefined: the person goes back to the page. */
  const settled = async (mine: Local, error: CallError): Promise<Local | undefined> => {
    const now = await dispatchRead(dispatch as never, calls.detail, key, true)
    const three = { base: mine.base, theirs: now.blocks as Block[], mine: mine.blocks }
    const of = (from: readonly Block[], id: string) => nameOf(from.find(one => one.id === id))
    const lines = mergeLines(three)
    const chosen = lines.some(line => line.how !== 'mine')
      ? await settle({
          by: error.data?.by,
          more: [],
          lines: lines.map(({ name, how }) => {
            const any = [...three.mine, ...three.theirs, ...three.base].find(
              one => one.id === name,
            )!
            return {
              name,
              how,
              label: kindOf(any.kind).title,
              was: of(three.base, name),
              theirs: of(three.theirs, name),
              mine: of(three.mine, name),
            }
          }),
        })
      : {}
    return (
      chosen && { blocks: mergedBlocks(three, chosen), base: three.theirs, version: now.version }
    )
  }
  const sent = async (mine: Local): Promise<Saved | undefined> => {
    try {
      const done = await send(
        { ...key, version: mine.version, blocks: mine.blocks as Designed['blocks'] },
        { quiet: true },
      )
      put({ blocks: mine.blocks, base: mine.blocks, version: done.version })
      return done
    } catch (fault) {
      const error = fault as CallError
      if (error.status !== 409) {
        toast(error.message, 'danger')
        return undefined
      }
      const next = await settled(mine, error)
      if (!next) return undefined
      put(next)
      return sent(next)
    }
  }
  /** Sends the draft; answers the page as it then is, or undefined where it was not saved. */
  const save = async (): Promise<Saved | undefined> => {
    if (!designed || saving) return undefined
    if (!dirty && designed.draft)
      return { id: designed.id, version: local?.version ?? designed.version }
    setSaving(true)
    try {
      const { version } = designed
      return await sent(local ?? { blocks, base: blocks, version })
    } finally {
      setSaving(false)
    }
  }
  return { save, saving }
}

/** A page being designed: its blocks as they stand on the screen, and what is done to them. */
export const useDesign = (calls: DesignerCalls, key: PageKey) => {
  const say = useSay()
  const nameOf = useBlockName()
  const { me, toast } = useWorkbench()
  const named = keyText(key)
  const read = useRead(calls.detail, key)
  const known = read.data && keyText(read.data) === named ? read.data : undefined
  const designed = read.currentData ?? known
  const { local, put, dirty, recovered } = useLocal(`design:${calls.save.path}:${named}`, designed)
  const history = useHistory()
  const [selected, select] = usePaneState<string | undefined>(`block:${named}`, undefined)
  const blocks = useMemo(
    () => local?.blocks ?? ((designed?.blocks ?? []) as Block[]),
    [local, designed],
  )
  const other = designed?.draft && designed.draft.id !== me.id ? designed.draft : undefined
  const unsaved = useRef(dirty)
  unsaved.current = dirty
  const reset = () => {
    unsaved.current = false
    put(undefined)
  }
  useUnsaved({ dirty, unsaved: () => unsaved.current, reset })

  const show = (next: Block[]) => {
    if (designed)
      put({
        blocks: next,
        base: local?.base ?? (designed.blocks as Block[]),
        version: local?.version ?? designed.version,
      })
  }
  /** Changes the page; `typing` names what is typed, so that it is one step to undo. */
  const change = (next: Block[], typing?: string): boolean => {
    if (other) {
      toast(
        say(['{who}正在编辑，请先接手草稿', '{who} is editing: take the draft over first'], {
          who: other.name,
        }),
        'warning',
      )
      return false
    }
    history.note(blocks, typing)
    show(next)
    return true
  }
  const step = (way: 'past' | 'future') => {
    const to = history.step(blocks, way)
    if (to) show(to)
    return to !== undefined
  }
  const { save, saving } = useSaving(calls, {
    key,
    designed,
    local,
    blocks,
    dirty,
    put,
    nameOf,
  })
  return {
    read,
    designed,
    blocks,
    dirty,
    recovered,
    saving,
    other,
    selected: blocks.some(({ id }) => id === selected) ? selected : blocks[0]?.id,
    select,
    change,
    undo: () => step('past'),
    redo: () => step('future'),
    reset,
    save,
    nameOf,
  }
}
export type Design = ReturnType<typeof useDesign>
