// A thread that asks `GET /healthz`, one after the other, from its first message to its second, and
// then tells how long each took: what the bench itself does holds up none of them.
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { parentPort, workerData } from 'node:worker_threads'

const agent = new Agent({ keepAlive: true, maxSockets: 1 })
const answered = () =>
  new Promise((done, fail) => {
    get(`${workerData}/healthz`, { agent }, answer => answer.resume().on('end', done)).on(
      'error',
      fail,
    )
  })
let asking
const ask = async state => {
  const times = []
  while (!state.over) {
    const began = performance.now()
    await answered()
    times.push(performance.now() - began)
    await sleep(5)
  }
  parentPort.postMessage(times)
}
parentPort.on('message', () => {
  if (!asking) void ask((asking = { over: false }))
  else {
    asking.over = true
    asking = undefined
  }
})
