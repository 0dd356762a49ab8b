import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { implementations } from '#src/implementations.ts'
import { banner } from '#src/modules/system/contract/banner.ts'
import type { Core } from '#src/server/call/pipeline.ts'
import { callRoutes } from '#src/server/http/calls.ts'

const openWays = (modules = implementations) => {
  const fastify = Fastify({ routerOptions: { ignoreTrailingSlash: true } })
  // Without a token a call is refused before anything is looked up.
  callRoutes(fastify, {} as Core, { modules, metrics: { sessionRefused: () => {} } })
  return fastify
}

it('finds a call by its own address alone', async () => {
  const fastify = openWays()
  const codeOf = async (url: string, method: 'GET' | 'POST' = 'GET') =>
    (await fastify.inject({ method, url: `/api/manageback/${url}` })).statusCode
  for (const url of ['banner/lst', 'banner/lst/', 'banner/lst?q=a%2Fb'])
    expect([url, await codeOf(url)]).toEqual([url, 401])
  for (const url of [
    'banner',
    'banner/lst/more',
    'banner%2Flst',
    'banner%2flst',
    'constructor',
    '',
  ])
    expect([url, await codeOf(url)]).toEqual([url, 404])
  expect(await codeOf('banner/lst', 'POST')).toBe(404)
})
it('does not begin where two calls stand at one address, with routes of their own or not', () => {
  const { lst } = banner
  const found = { calls: { lst }, handlers: { lst: async () => ({}) } }
  const routed = { ...found, calls: { lst: { ...lst, permit: 'public' } } }
  for (const two of [
    [found, found],
    [found, routed],
    [routed, found],
    [routed, routed],
  ])
    expect(() => openWays(two as unknown as typeof implementations)).toThrow(/Two calls stand at/)
})
