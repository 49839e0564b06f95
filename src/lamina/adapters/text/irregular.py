"""English words whose forms no stemmer brings together, a line for each: went is a form of go."""

from __future__ import annotations

from typing import Final

FORMS: Final = tuple(
    tuple(line.split())
    for line in """
    become became
    begin began begun
    bite bit bitten
    blow blew blown
    break broke broken
    bring brought
    build built
    buy bought
    catch caught
    child children
    choose chose chosen
    come came
    deal dealt
    draw drew drawn
    dream dreamt
    drink drank drunk
    drive drove driven
    eat ate eaten
    fall fell fallen
    feed fed
    feel felt
    fight fought
    find found
    fly flew flown
    foot feet
    forget forgot forgotten
    forgive forgave forgiven
    freeze froze frozen
    get got gotten
    give gave given
    go goes went gone
    good better best
    grow grew grown
    hang hung
    hear heard
    hide hid hidden
    hold held
    keep kept
    knife knives
    know knew known
    lay laid
    lead led
    leaf leaves
    leave left
    lend lent
    life lives
    light lit
    lose lost
    make made
    man men
    mean meant
    meet met
    mouse mice
    pay paid
    person people
    ride rode ridden
    ring rang rung
    rise rose risen
    run ran
    say said
    see saw seen
    seek sought
    sell sold
    send sent
    shake shook shaken
    shine shone
    shoot shot
    show shown
    sing sang sung
    sink sank sunk
    sit sat
    sleep slept
    speak spoke spoken
    spend spent
    stand stood
    steal stole stolen
    stick stuck
    strike struck
    swear swore sworn
    swim swam swum
    take took taken
    teach taught
    tear tore torn
    tell told
    think thought
    throw threw thrown
    tooth teeth
    understand understood
    wake woke woken
    wear wore worn
    wife wives
    win won
    woman women
    write wrote written
    bad worse worst
    """.strip().splitlines()
)
