import { useMemo } from 'react'
import { diffOf, fieldModes, type Diff, type FieldMode } from '#src/areas/people/rights.ts'
import type { Result } from '#src/contract/call.ts'
import { useWrite, type CallError } from '#src/kit/data.ts'
import { usePaneState } from '#src/kit/memory.ts'
import { useSay } from '#src/kit/text.ts'
import { useWorkbench } from '#src/kit/workbench.ts'
import { role as calls } from '../contract/role.ts'
import { settleParts } from './settle.ts'

export type RoleDetail = Result<typeof calls.detail>
/** What was changed and not saved; `base` and `version` are what it was changed from. */
type RightsDraft = { version: number; base: string[]; perms: string[] }
type FieldDraft = {
  version: number
  base: Record<string, FieldMode>
  rules: Record<string, FieldMode>
}

/** A role's rights, with what a person changed of them and did not save. */
export const useRightsDraft = (id: number | undefined, of: RoleDetail | undefined) => {
  const [drafts, setDrafts] = usePaneState<Readonly<Record<number, RightsDraft>>>('drafts', {})
  const draft = id === undefined ? undefined : drafts[id]
  const base = useMemo(() => new Set(draft?.base ?? of?.perms ?? []), [draft, of])
  const perms = useMemo(() => new Set(draft?.perms ?? of?.perms ?? []), [draft, of])
  const changes = diffOf([...base], [...perms])
  const set = (role: number, next: RightsDraft | undefined) => {
    const { [role]: _, ...rest } = drafts
    setDrafts(next ? { ...rest, [role]: next } : rest)
  }
  const change = (next: Set<string>) => {
    if (of)
      set(of.role.id, {
        version: draft?.version ?? of.role.version,
        base: draft?.base ?? of.perms,
        perms: [...next].sort(),
      })
  }
  const rebase = (current: { perms: string[]; version: number }, mine: Diff | null) => {
    if (id === undefined) return
    const kept = current.perms.filter(perm => !mine?.removed.includes(perm))
    set(
      id,
      mine
        ? {
            version: current.version,
            base: current.perms,
            perms: [...new Set([...kept, ...mine.added])].sort(),
          }
        : undefined,
    )
  }
  return {
    draft,
    base,
    perms,
    changes,
    changed: changes.added.length + changes.removed.length,
    set,
    change,
    rebase,
  }
}
export type RightsChange = ReturnType<typeof useRightsDraft>

/** What a role sees of guarded fields, with what a person changed of it and did not save. */
export const useFieldsDraft = (id: number | undefined, of: RoleDetail | undefined) => {
  const [drafts, setDrafts] = usePaneState<Readonly<Record<number, FieldDraft>>>('fields', {})
  const draft = id === undefined ? undefined : drafts[id]
  const rules = draft?.rules ?? of?.field_rules ?? {}
  const base = draft?.base ?? of?.field_rules ?? {}
  const changed = [...new Set([...Object.keys(rules), ...Object.keys(base)])].filter(
    key => rules[key] !== base[key],
  ).length
  const set = (role: number, next: FieldDraft | undefined) => {
    const { [role]: _, ...rest } = drafts
    setDrafts(next ? { ...rest, [role]: next } : rest)
  }
  const change = (next: Record<string, FieldMode>) => {
    if (of) set(of.role.id, { version: draft?.version ?? of.role.version, base, rules: next })
  }
  return { draft, rules, changed, set, change }
}
export type FieldsChange = ReturnType<typeof useFieldsDraft>

/**
 * Saves the fields; what somebody else made of them meanwhile is settled field by field, and saved
 * over the newest.
 */
export const useFieldsSaved = (set: FieldsChange['set']) => {
  const say = useSay()
  const { toast, settle } = useWorkbench()
  const [saveFields] = useWrite(calls.setFields)
  return async (of: RoleDetail, draft: FieldDraft) => {
    const { id } = of.role
    for (let mine = draft; ;) {
      const refused = await saveFields(
        { id, version: mine.version, fieldRules: mine.rules },
        { quiet: true },
      ).then(
        () => undefined,
        (fault: CallError) => fault,
      )
      if (!refused) {
        set(id, undefined)
        toast(say(['字段权限已保存', 'Field rights saved']), 'success')
        return
      }
      const now =
        refused.status === 409
          ? (refused.data?.current as
              | { version: number; field_rules: FieldDraft['rules'] }
              | undefined)
          : undefined
      if (!now) return
      const title = (key: string) => of.fields.find(field => field.key === key)?.title ?? key
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
      set(id, mine)
    }
  }
}
