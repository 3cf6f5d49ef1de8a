/** Returns the inverse document frequency, which is above 0 even for a term that every text holds. Source: Robertson
 * and Sparck Jones, in Lucene's form. */
export function inverseDocumentFrequency(count: number, documentFrequency: number): number {
  return Math.log(1 + (count - documentFrequency + 0.5) / (documentFrequency + 0.5));
}
