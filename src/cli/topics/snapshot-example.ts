/** A small snapshot that help can show and a shell can quote. */
export const exampleSnapshot =
  '{"version":0,"job":{"id":"7","correlator":"build"},"sha":"ce587453ced02b1526dfb4cb910479d431683101","ref":"refs/heads/main","detector":{"name":"my-detector","version":"1.0.0","url":"https://detector.example.com"},"scanned":"2026-03-10T12:00:00Z","manifests":{"package-lock.json":{"name":"package-lock.json","resolved":{"lodash":{"package_url":"pkg:npm/lodash@4.17.21"}}}}}';
