import { useMemo } from 'react'
import type { Action } from '#commands/command.ts'

/** The actions of a page with one of them first: its toolbar shows that as the task. `all` is stable. */
export const useFirst = (first: Action, all: readonly Action[]): readonly Action[] =>
  useMemo(
    () => [...all.filter(one => one === first), ...all.filter(one => one !== first)],
    [first, all],
  )
