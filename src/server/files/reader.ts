// A thread of its own (reading.ts): text is read from pictures here by Tesseract, which runs in one
// more thread below it and ends with it. Its code and its data lie in node_modules: nothing is
// fetched, nothing is written.
import { fileURLToPath } from 'node:url'
import { parentPort } from 'node:worker_threads'
import { createWorker, OEM, PSM } from 'tesseract.js'

const data = import.meta.resolve('@tesseract.js-data/chi_sim/package.json')
let opened: ReturnType<typeof open> | undefined
const open = async () => {
  const worker = await createWorker('chi_sim', OEM.LSTM_ONLY, {
    langPath: fileURLToPath(new URL('4.0.0_best_int', data)),
    cacheMethod: 'none',
  })
  // A licence is words and values in columns, no page of text.
  await worker.setParameters({
    tessedit_pageseg_mode: PSM.SPARSE_TEXT,
    user_defined_dpi: '300',
  })
  return worker
}
const read = async (png: Uint8Array): Promise<string[]> => {
  const worker = await (opened ??= open())
  const { data: page } = await worker.recognize(Buffer.from(png))
  return page.text.split('\n').filter(line => line.trim() !== '')
}

// A reading that fails ends this thread: whoever asked is told so, and the next one gets another.
parentPort!.on('message', (png: Uint8Array) => {
  void read(png).then(lines => parentPort!.postMessage(lines))
})
parentPort!.postMessage('ready')
