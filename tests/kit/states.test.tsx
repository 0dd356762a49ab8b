import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import type { CallError } from '#src/kit/data.ts'
import { Failed } from '#src/kit/states.tsx'
import { WorkbenchContext, type Workbench } from '#src/kit/workbench.ts'

afterEach(cleanup)
const workbench = {
  me: { can: (permit: string) => permit === 'order.elist.view' },
  useGrantedBy: (permit: string | undefined) => `可由 林岚（超级管理员） 开通 ${permit}`,
} as unknown as Workbench
const refused = (permit?: string): CallError => ({
  status: 403,
  message: '没有权限进行此操作',
  ...(permit ? { permit } : {}),
})
const show = (error: CallError) =>
  render(
    <WorkbenchContext value={workbench}>
      <Failed error={error} retry={() => {}} />
    </WorkbenchContext>,
  )

test('a read that is refused names who can grant the right that it needs, and offers no retry', () => {
  show(refused('system.role.view'))
  expect(screen.getByRole('alert').textContent).toBe(
    '没有权限查看没有权限进行此操作可由 林岚（超级管理员） 开通 system.role.view',
  )
  expect(screen.queryByRole('button')).toBeNull()
})
test('nobody is named for a right that the person holds, or where nobody can say who', () => {
  show(refused('order.elist.view'))
  expect(screen.getByRole('alert').textContent).toBe('没有权限查看没有权限进行此操作')
  cleanup()
  render(<Failed error={refused('system.role.view')} retry={() => {}} />)
  expect(screen.getByRole('alert').textContent).toBe('没有权限查看没有权限进行此操作')
})
