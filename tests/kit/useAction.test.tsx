import { cleanup, render } from '@testing-library/react'
import { useLayoutEffect } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Stage } from '#src/kit/stage.ts'
import { PaneContext, useAction } from '#src/kit/workbench.ts'

afterEach(cleanup)

test('a key acts on what is in sight as soon as it stands, not on what was there before', () => {
  const pane = { id: 'p', stage: new Stage(), visible: true, memo: new Map() }
  const said: string[] = []
  const Tells = ({ what }: { what: string }) => {
    useAction('test.tell', () => void said.push(what))
    // What is committed can be painted, and a key may come before any other effect has run.
    useLayoutEffect(() => void pane.stage.performer('test.tell')?.([]))
    return <p>{what}</p>
  }
  const page = (what: string) => (
    <PaneContext value={pane as never}>
      <Tells what={what} />
    </PaneContext>
  )
  const { rerender } = render(page('before'))
  rerender(page('now'))
  expect(said.at(-1)).toBe('now')
})
