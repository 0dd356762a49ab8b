// The first file of a thread that runs a source as it stands: a thread does not inherit what compiles
// TypeScript, so it is registered here once more. The built server needs none of it.
import { workerData } from 'node:worker_threads'
import { register } from 'tsx/esm/api'

register()
await import(workerData)
