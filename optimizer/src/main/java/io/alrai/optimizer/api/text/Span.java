package io.alrai.optimizer.api.text;

/**
 * A piece of the source text.
 *
 * @param start index of its first character
 * @param end index after its last character
 */
public record Span(int start, int end) {
  /** From here to the end of another one. */
  public Span to(Span last) {
    return new Span(start, last.end);
  }

  /** The characters. */
  public String of(String source) {
    return source.substring(start, end);
  }

  /** Whether another one lies within. */
  public boolean holds(Span other) {
    return start <= other.start && other.end <= end;
  }
}
