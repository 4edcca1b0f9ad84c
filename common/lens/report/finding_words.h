/* finding_words: makes findings of what came out of a launch, with words for readers.
 */
#ifndef FINDING_WORDS_H
#define FINDING_WORDS_H

#include "by_place.h"
#include "judge/findings.h"

/* What an access costs, if that is more than it need be; false: it is not. */
bool finding_of_access(struct finding *finding, const struct run *run,
                       const struct fact *fact);

/* Lanes that are idle in a launch, at the branch that splits most warps; false: it has
 * none. */
bool finding_of_idle(struct finding *finding, const struct run *run,
                     const struct facts *facts);

/* Keeps all of these; and all mistakes and notes of a launch. */
void findings_of_counts(const struct run *run, const struct facts *facts);
void findings_of_mistakes(const struct run *run);

#endif
