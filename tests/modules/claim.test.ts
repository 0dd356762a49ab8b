import { beforeEach, expect, test, vi } from 'vitest'
import { connect } from '#src/kit/data.ts'
import { claimOrMine, noneFree } from '#src/kit/queue.ts'
import { queues } from '#src/modules/audit/contract.ts'
import { makeStore } from '#src/shell/store.ts'

let free: object[]
let mine: object[]
let asked: string[]
beforeEach(() => {
  asked = []
  connect({ token: () => 't', region: () => 'pro', ended: () => {}, failed: () => {} })
  vi.stubGlobal(
    'fetch',
    vi.fn(async (url: string) => {
      asked.push(url)
      const data = url.includes('claimNext') ? { tasks: free } : { list: mine, total: mine.length }
      return new Response(JSON.stringify({ status: 200, msg: '', message: '', data }))
    }),
  )
})
const claim = () => claimOrMine(makeStore().dispatch, queues.bulks, {})

test('the next free task is claimed', async () => {
  free = [{ id: 7, title: '火锅双人餐' }]
  mine = [{ id: 3, title: '烤肉四人餐' }]
  expect(await claim()).toMatchObject({ task: { id: 7 }, own: false })
  expect(asked).toHaveLength(1)
})
test('with nothing free it goes to what I hold, and says so', async () => {
  free = []
  mine = [{ id: 3, title: '烤肉四人餐' }]
  const found = await claim()
  expect(found).toMatchObject({ task: { id: 3 }, own: true })
  expect(asked[1]).toMatch(/lst\?.*state=mine/)
  expect(noneFree(found!.task)[0]).toContain('已转到你领取的「烤肉四人餐」')
  mine = []
  expect(await claim()).toBeUndefined()
})
